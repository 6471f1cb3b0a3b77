/** A passage of a document: what is embedded, searched, quoted and cited. */
export interface Chunk {
  /** Position within the document, from 0. */
  ordinal: number
  /** Titles of the headings above the passage, outermost first, without the document's title. */
  headingPath: string[]
  /** Fragment id of the nearest heading above the passage, if the page has one. */
  anchor: string | undefined
  /** The passage as Markdown. */
  text: string
  /** If the passage spans several sections or pages: each of them, in order, the first at 0. Else empty. */
  places: ChunkPlace[]
}

/** A part of a passage that a citation can link to. It ends where the next one begins. */
export interface ChunkPlace {
  /** Offset in the passage's text, in UTF-16 code units. If the part has a heading, it is at this offset as a bold paragraph. */
  at: number
  /** Fragment id of the nearest heading or entry above the part, if the page has one. */
  anchor?: string
  /** Titles below the passage's own heading path, outermost first; empty if the part has no heading of its own. */
  headings: string[]
}
