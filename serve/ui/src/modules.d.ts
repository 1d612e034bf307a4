declare module '*.css'

// A language of texts.json: its texts by the English ones. tools/bundle makes a file of each.
declare module 'texts:*' {
  const texts: Record<string, string>
  export default texts
}
