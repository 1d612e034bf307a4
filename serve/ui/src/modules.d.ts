declare module '*.css'

// The translations of texts.json into one language, by the English text. tools/bundle makes one script per language.
declare module 'texts:*' {
  const texts: Record<string, string>
  export default texts
}
