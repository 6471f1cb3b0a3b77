const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Ends of "sentences" that are abbreviations or initials. */
const GOES_ON =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|no|nos|fig|sec|ch|vol|mr|mrs|ms|dr|prof|st|u\.s|\p{L})\.\s*$/iu

/** The number of a list item. */
const LIST_NUMBER = /^\d+[.)]$/

/** The mark of a list item, which an excerpt does not show. */
const LIST_ITEM = /^(?:\d{1,3}[.)]|[-*])\s+/

/** A sentence of an answer, with the citations that support it. */
export interface AnswerSentence {
  text: string
  citations: number[]
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    if (last !== undefined && GOES_ON.test(last)) sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !LIST_NUMBER.test(sentence))
}

/** Replaces links with their text, which may have brackets itself, and removes images. */
export const withoutAddresses = (markdown: string) =>
  markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/\[((?:[^\][]|\[[^\][]*\])*)\]\(<?[^)\s]*>?\)/g, '$1')

/** The fences of a code block, the first with the name of its language. */
const FENCE = /^\s*(?:```|~~~).*$/gm

const MARKER = /\[(\d+)\]/g

/** The block quotes of an answer, without their markers. */
function quotesOf(answer: string): string[] {
  const quotes: string[] = []
  let isWithin = false
  for (const line of answer.split('\n')) {
    const isQuoted = line.startsWith('>')
    if (isQuoted && isWithin) quotes[quotes.length - 1] += `\n${line.replace(/^> ?/, '')}`
    else if (isQuoted) quotes.push(line.replace(/^> ?/, ''))
    isWithin = isQuoted
  }
  return quotes
}

/**
 * The sentences of an embedded answer: the contents of its block quotes, without the introductory line. The numbers of a quote apply to
 * all of its sentences. An answer without block quotes is read as a whole.
 */
export function answerSentences(answer: string): AnswerSentence[] {
  const quotes = quotesOf(answer)
  return (quotes.length === 0 ? [answer] : quotes).flatMap((quote) => {
    const plain = withoutAddresses(quote).replaceAll(FENCE, '')
    const citations = [...plain.matchAll(MARKER)].map(([, number]) => Number(number))
    return plain
      .split(/\[\d+\]/)
      .flatMap(sentencesOf)
      .map((text) => ({ text: text.replace(LIST_ITEM, ''), citations }))
  })
}
