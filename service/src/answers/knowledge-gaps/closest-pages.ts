import type { KnowledgeGapDetail } from '@citewell/contract/knowledge-gaps'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { webAddress } from '../../kernel/uri.ts'
import type { AnswerTrace } from '../answering/answering.ts'
import type { ShownMember } from './knowledge-gaps-store.ts'

export type ClosestPage = KnowledgeGapDetail['closest_pages'][number]

type FoundPassage = AnswerTrace['retrieved'][number]

/** Every passage that the searches of some questions found. */
export const foundPages = (members: readonly ShownMember[]): FoundPassage[] =>
  // `storeTurn` wrote the column; a trace of an earlier version may lack the field.
  members.flatMap(({ trace }) => (trace as Partial<AnswerTrace>).retrieved ?? [])

/** The pages of these passages, the best score first. */
export function closestPages(
  found: readonly FoundPassage[],
  most: number,
  addressOf: (document: AddressedDocument) => string,
): ClosestPage[] {
  const pages = new Map<string, ClosestPage>()
  for (const passage of found) {
    const known = pages.get(passage.documentId)
    if (known !== undefined && known.score >= passage.score) continue
    const { documentId, title, score } = passage
    pages.set(documentId, {
      document_id: documentId,
      title,
      url: addressOf(passage),
      score: Math.min(1, Math.max(0, score)),
    })
  }
  return [...pages.values()]
    .filter(({ url }) => webAddress(url) !== undefined)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
}
