// Locks that all tabs of the site share (Web Locks API). The browser releases those of a tab that is closed
// or crashes.

const prefix = 'afterstate '

/** held has what releases each lock of this worker. */
const held = new Map<string, () => Promise<void>>()

/** lock takes a lock, or returns false if it is taken. */
export const lock = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const over = navigator.locks.request(prefix + name, { ifAvailable: true }, (taken) => {
      resolve(taken !== null)
      if (!taken) return
      return new Promise<void>((end) =>
        held.set(name, () => {
          end()
          return over
        }),
      )
    })
    over.catch(reject)
  })

/** unlock releases a lock. Others can take it when the promise is fulfilled. */
export async function unlock(name: string) {
  const release = held.get(name)
  held.delete(name)
  await release?.()
}

/** locked returns the names of all locks that are taken, also by other tabs. */
export async function locked(): Promise<string[]> {
  const { held: all = [] } = await navigator.locks.query()
  return all.flatMap((l) => (l.name?.startsWith(prefix) ? [l.name.slice(prefix.length)] : []))
}
