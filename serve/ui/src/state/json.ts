/** parsed returns the value of a stored text of JSON; undefined if it is none. */
export function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
