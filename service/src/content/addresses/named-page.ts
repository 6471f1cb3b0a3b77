/** What an address given by a caller may refer to. */
export interface NamedPage {
  /** The spellings under which the address may be stored. */
  spellings: string[]
  /** For a page of this service: the document that it shows, */
  documentId: string | undefined
  /** or the custom answer. */
  answerId: string | undefined
}

/** Whether an address refers to this document. */
export const isNamedPage = (
  { spellings, documentId, answerId }: NamedPage,
  document: { id: string; url: string; externalId: string },
): boolean =>
  documentId === document.id || spellings.includes(document.url) || answerId === document.externalId
