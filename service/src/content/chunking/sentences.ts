/** Longer than any link or piece of code that has to stay together. */
const MAX_UNBROKEN_LENGTH = 1_000

/** Sentences of a Markdown paragraph, in order; joined by spaces they are the paragraph. Links and code are not split. */
export function sentencesOf(markdown: string, language: string | undefined): string[] {
  const segmenter = new Intl.Segmenter(language ?? 'en', { granularity: 'sentence' })
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(markdown)) {
    open += segment
    // An unclosed bracket must not keep the rest of the text together.
    if (open.length > MAX_UNBROKEN_LENGTH || isWhole(open)) {
      if (open.trim() !== '') sentences.push(open.trim())
      open = ''
    }
  }
  if (open.trim() !== '') sentences.push(open.trim())
  return sentences
}

/** Whether the end of the text is outside of any link, code span or bold text. */
function isWhole(text: string): boolean {
  if (!/[\\`*[\]]/.test(text)) return true
  const bare = text.replaceAll(/\\[^\s\p{L}\p{N}]/gu, '')
  if ((bare.match(/`/g)?.length ?? 0) % 2 === 1 || bare.split('**').length % 2 === 0) return false
  const link = bare.lastIndexOf('](')
  if (link >= 0 && bare.indexOf(')', link) < 0) return false
  return (bare.match(/\[/g)?.length ?? 0) === (bare.match(/\]/g)?.length ?? 0)
}

const UNBROKEN =
  /!?\[(?:\\.|[^\]\\]){0,300}\]\([^()\s]{0,2000}\)|(?<!`)(`{1,3})(?!`).{1,300}?(?<!`)\1(?!`)|\S+/g

/** Words of a sentence; a link or a piece of code counts as one. */
export function wordsOf(markdown: string): string[] {
  return markdown.match(UNBROKEN) ?? []
}
