import type { Turn } from './turn.ts'

/** An answer as Markdown whose `[n]` are links, to be put into a document or a message. */
export function answerMarkdown({ text, citations }: Turn): string {
  const seen = new Set<number>()
  const links = citations
    .filter(({ index }) => !seen.has(index) && seen.add(index))
    .map(
      ({ index, url, title }) =>
        `[${index}]: <${url.replaceAll(/[<>\s]/g, encodeURIComponent)}> "${title.replaceAll('"', "'")}"`,
    )
  return links.length === 0 ? text : `${text}\n\n${links.join('\n')}\n`
}
