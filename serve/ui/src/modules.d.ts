declare module '*.css'

// One language of texts.json: its texts, by the English texts. tools/bundle makes a file for each language.
declare module 'texts:*' {
  const texts: Record<string, string>
  export default texts
}
