/** What an address that somebody gives may stand for. */
export interface NamedPage {
  /** The address as it may be stored. */
  spellings: string[]
  /** Of a page of this service: the document that it shows, */
  documentId: string | undefined
  /** or the custom answer. */
  answerId: string | undefined
}

/** Whether a document is what an address names. */
export const names = (
  { spellings, documentId, answerId }: NamedPage,
  document: { id: string; url: string; externalId: string },
): boolean =>
  documentId === document.id || spellings.includes(document.url) || answerId === document.externalId
