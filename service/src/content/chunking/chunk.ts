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
  /** Where the passage runs over several sections or pages: each of them, in order, the first at 0. Else empty. */
  places: ChunkPlace[]
}

/** A part of a passage that a citation opens at by itself: it reaches to the next one. */
export interface ChunkPlace {
  /** Offset in the passage's text, in UTF-16 code units. A heading of the part stands there, as a paragraph in bold. */
  at: number
  /** Fragment id of the nearest heading or entry above the part, where the page has one. */
  anchor?: string
  /** Titles below the passage's own heading path, outermost first; empty where the part has no heading of its own. */
  headings: string[]
}
