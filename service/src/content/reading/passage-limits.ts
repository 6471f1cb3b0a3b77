/** Maximum UTF-16 units of a passage's Markdown. Applies when a passage is indexed, and when one indexed before the limit is read. */
export const LONGEST_PASSAGE = 8_000

/** Maximum parts of a passage that a citation can link to. */
export const MOST_PLACES = 100
