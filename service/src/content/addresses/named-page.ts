/** What an address given by a caller may refer to. */
export interface NamedPage {
  /** The spellings under which the address may be stored, the most exact first. */
  spellings: string[]
  /** For a page of this service: the document that it shows, */
  documentId: string | undefined
  /** or the custom answer. */
  answerId: string | undefined
}

/** The most exact of these documents that an address refers to: the page is meant only if nothing has the address with its fragment. */
export function namedAmong<Document extends { id: string; url: string; externalId: string }>(
  { spellings, documentId, answerId }: NamedPage,
  documents: readonly Document[],
): Document[] {
  const exactness = (document: Document): number =>
    documentId === document.id || answerId === document.externalId ? 0 : spellings.indexOf(document.url)
  const named = documents.filter((document) => exactness(document) >= 0)
  const best = Math.min(...named.map(exactness))
  return named.filter((document) => exactness(document) === best)
}
