import type { ServedPage } from './read-page.ts'

/** A question about each of `count` places of the pages, spread evenly: headings, entries and paragraphs in turn. */
export function questionsAbout(pages: readonly ServedPage[], count: number): string[] {
  const kinds = [
    pages.flatMap(({ openings }) => openings.filter(({ kind }) => kind === 'entry')).map(aboutOpening),
    pages.flatMap(({ paragraphs }) => paragraphs.flatMap(aboutParagraph)),
    pages.flatMap(({ openings }) => openings.filter(({ kind }) => kind === 'heading')).map(aboutOpening),
  ].filter((questions) => questions.length > 0)
  const each = Math.ceil(count / Math.max(1, kinds.length))
  return kinds.flatMap((questions) => spread([...new Set(questions)], each)).slice(0, count)
}

const spread = (questions: readonly string[], count: number) =>
  questions.length <= count
    ? [...questions]
    : Array.from(
        { length: count },
        (_, index) => questions[Math.floor((index * questions.length) / count)] ?? '',
      )

function aboutOpening({ title }: { title: string }): string {
  const name = title
    .replaceAll(/[¶§#]|\[source\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/\(.*$/, '')
    .trim()
  return `What does the documentation say about ${name}?`
}

/** A question from a paragraph's first sentence, if it is neither very short nor very long. */
function aboutParagraph(paragraph: string): string[] {
  const [sentence = ''] = paragraph
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?])\s/)
  const words = sentence.replace(/[.:!?]$/, '').split(' ')
  return words.length < 6 || words.length > 30 ? [] : [`Is it true that ${words.join(' ')}?`]
}
