/** Maximum UTF-16 units of a passage's Markdown. Applies when a passage is indexed, and when one indexed before the limit is read. */
export const MAX_PASSAGE_LENGTH = 8_000

/** Maximum parts of a passage that a citation can link to. */
export const MAX_PLACES = 100
