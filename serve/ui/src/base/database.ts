// The database of played games and of the site's experiments: values by key in IndexedDB.

const name = 'afterstate'
const table = 'values'

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const r = indexedDB.open(name, 1)
    r.onupgradeneeded = () => r.result.createObjectStore(table)
    r.onsuccess = () => resolve(r.result)
    r.onerror = () => reject(r.error)
  })

async function inTransaction<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => () => T): Promise<T> {
  const db = await opened()
  try {
    return await new Promise<T>((resolve, reject) => {
      const t = db.transaction(table, mode)
      const result = work(t.objectStore(table))
      t.oncomplete = () => resolve(result())
      t.onabort = () => reject(t.error)
    })
  } finally {
    db.close()
  }
}

/** saveValue stores a value. It is on disk when the promise is fulfilled. */
export const saveValue = (key: string, value: string) => changeValues([key], () => value)

/** deleteValue deletes the value of a key and, if a prefix is given, all values whose keys begin with it. */
export const deleteValue = (key: string, prefix?: string): Promise<void> =>
  inTransaction('readwrite', (s) => {
    s.delete(key)
    if (prefix !== undefined) s.delete(beginning(prefix))
    return () => {}
  })

/** changeValues stores, for each key, what f returns for the current value (undefined if there is none). If f returns
    undefined, the value stays. Either all changes are stored or none. It returns the keys that were stored. */
export const changeValues = (
  keys: Iterable<string>,
  f: (key: string, old: string | undefined) => string | undefined,
): Promise<string[]> =>
  inTransaction('readwrite', (s) => {
    const stored: string[] = []
    for (const key of keys) {
      const r: IDBRequest<string | undefined> = s.get(key)
      r.onsuccess = () => {
        const value = f(key, r.result)
        if (value === undefined || value === r.result) return
        s.put(value, key)
        stored.push(key)
      }
    }
    return () => stored
  })

const beginning = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

/** loadValues returns all keys that begin with a prefix, and their values. */
export const loadValues = (prefix: string): Promise<[string, string][]> =>
  inTransaction('readonly', (s) => {
    const found: [string, IDBRequest<string>][] = []
    const keys = s.getAllKeys(beginning(prefix))
    keys.onsuccess = () => {
      for (const k of keys.result.map(String)) found.push([k, s.get(k)])
    }
    return () => found.map(([k, r]) => [k, r.result])
  })
