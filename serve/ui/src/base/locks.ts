// One tab of the site at a time has the experiments (Web Locks API). The browser releases the lock of a tab that is closed
// or crashes.

let holding = false

/** hold takes the lock until this worker ends, or returns false if another tab has it. Pages of plain HTTP from another
    machine have no locks: there each tab may have the experiments. */
export function hold(): Promise<boolean> {
  if (holding || !('locks' in navigator)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    navigator.locks
      .request('afterstate experiments', { ifAvailable: true }, (lock) => {
        holding = lock !== null
        resolve(holding)
        return holding ? new Promise<void>(() => {}) : undefined
      })
      .catch(reject)
  })
}
