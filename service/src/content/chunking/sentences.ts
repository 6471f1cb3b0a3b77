import { sentencesOf } from '../../kernel/sentences.ts'

/** Longer than any link or piece of code that has to stay together. */
const MAX_UNBROKEN_LENGTH = 1_000

/** Sentences of a Markdown paragraph, in order, each with the white space behind it: together they are the paragraph. Links and code are not split. */
export function markdownSentences(markdown: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { text } of sentencesOf(markdown.trim())) {
    open += text
    // An unclosed bracket must not keep the rest of the text together.
    if (open.length > MAX_UNBROKEN_LENGTH || isWhole(open)) {
      sentences.push(open)
      open = ''
    }
  }
  if (open !== '') sentences.push(open)
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
  /!?\[(?:\\.|[^\]\\]){0,300}\]\([^()\s]{0,2000}\)|(?<!`)(`{1,3})(?!`).{1,300}?(?<!`)\1(?!`)|\S+|\s+/g

/** Words of a sentence, each with the white space behind it; a link or a piece of code counts as one. */
export function wordsOf(markdown: string): string[] {
  const words: string[] = []
  for (const [word] of markdown.matchAll(UNBROKEN)) {
    if (word.trim() === '' && words.length > 0) words.push(`${words.pop() ?? ''}${word}`)
    else words.push(word)
  }
  return words
}
