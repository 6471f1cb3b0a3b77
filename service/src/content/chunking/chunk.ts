/** A passage of a document: what is embedded, searched, quoted and cited. */
export interface Chunk {
  /** Place within the document, from 0. */
  ordinal: number
  /** Titles of the headings above the passage, outermost first; the document's title is not repeated in it. */
  headingPath: string[]
  /** Fragment id of the nearest heading above the passage, where the page has one. */
  anchor: string | undefined
  /** The passage as Markdown. */
  text: string
}
