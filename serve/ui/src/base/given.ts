// What another app shared with the installed page; the service worker (sw.ts) stored it.

export const givenCache = 'afterstate-given'
export const givenPicture = 'given/picture'
export const givenText = 'given/text'

/** given returns what was shared, and deletes it. If a shared text contains a link to a position, given
    returns only the link. */
export async function given(): Promise<{ picture?: File; text?: string }> {
  const cache = await caches.open(givenCache)
  const [picture, text] = await Promise.all([givenPicture, givenText].map((name) => cache.match(name)))
  await caches.delete(givenCache)
  if (picture)
    return {
      picture: new File([await picture.blob()], 'picture', {
        type: picture.headers.get('Content-Type') ?? '',
      }),
    }
  const all = await text?.text()
  return all ? { text: all.split(/\s/).find((word) => word.includes('2048verse.com/p/')) ?? all } : {}
}
