import type { Citation } from '@citewell/contract/chat'
import type { OpenAiCompletion } from '@citewell/contract/openai'
import { markdownLink } from '../../kernel/markdown-name.ts'

type Annotation = OpenAiCompletion['choices'][0]['message']['annotations'][number]

/**
 * The pages that an answer cites, as a Markdown list to be put below it: clients that know nothing of citations show
 * useful links. Empty where nothing is cited.
 */
export function sourcesList(citations: readonly Citation[]): string {
  if (citations.length === 0) return ''
  const lines = citations.map(({ index, title, url }) => `${index}. ${markdownLink(title, url)}`)
  return `\n\n**Sources**\n\n${lines.join('\n')}`
}

/** Where the answer cites what, as OpenAI's own search writes it. Indexes are those of JavaScript strings. */
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
 * The citations of an answer under the numbers that were streamed: a client that cannot replace its text has to find
 * them under those.
 *
 * @param found the list that the numbers of the streamed text refer to
 * @param cited what the final answer cites, renumbered
 */
export function citationsAsStreamed(
  streamed: string,
  found: readonly Citation[],
  cited: readonly Citation[],
): Citation[] {
  const documents = new Map(cited.map((citation) => [citation.document_id, citation]))
  const said = new Set([...streamed.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  return found.flatMap((citation) => {
    const final = documents.get(citation.document_id)
    return final !== undefined && said.has(citation.index) ? [{ ...final, index: citation.index }] : []
  })
}
