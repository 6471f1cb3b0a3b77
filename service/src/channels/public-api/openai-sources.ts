import type { Citation } from '@citewell/contract/chat'
import type { OpenAiCompletion } from '@citewell/contract/openai'
import { markdownLink } from '../../kernel/markdown-name.ts'

type Annotation = OpenAiCompletion['choices'][0]['message']['annotations'][number]

/**
 * The cited pages as a Markdown list below the answer, so that clients without support for citations show useful links. Empty without
 * citations.
 */
export function sourcesList(citations: readonly Citation[]): string {
  if (citations.length === 0) return ''
  const lines = citations.map(({ index, title, url }) => `${index}. ${markdownLink(title, url)}`)
  return `\n\n**Sources**\n\n${lines.join('\n')}`
}

/** The positions of the citations, in the format of OpenAI's web search. Indexes count UTF-16 units, as in JavaScript strings. */
export function annotationsOf(answer: string, citations: readonly Citation[]): Annotation[] {
  return [...answer.matchAll(/\[(\d+)\]/g)].flatMap((marker) => {
    const citation = citations.find(({ index }) => index === Number(marker[1]))
    if (citation === undefined) return []
    const { title, url } = citation
    const start_index = marker.index
    return [
      {
        type: 'url_citation' as const,
        url_citation: { start_index, end_index: start_index + marker[0].length, title, url },
      },
    ]
  })
}

/**
 * The citations of an answer under the numbers that were streamed, for clients that cannot replace text they have shown.
 *
 * @param found the list that the numbers of the streamed text refer to
 * @param cited the citations of the final answer, renumbered
 */
export function citationsAsStreamed(
  streamed: string,
  found: readonly Citation[],
  cited: readonly Citation[],
): Citation[] {
  const documents = new Map(cited.map((citation) => [citation.document_id, citation]))
  const citedNumbers = new Set([...streamed.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  return found.flatMap((citation) => {
    const final = documents.get(citation.document_id)
    return final !== undefined && citedNumbers.has(citation.index)
      ? [{ ...final, index: citation.index }]
      : []
  })
}
