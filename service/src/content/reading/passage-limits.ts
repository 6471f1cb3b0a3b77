/** Most UTF-16 units of a passage's Markdown. What is indexed is cut at it, and so is what was indexed before. */
export const LONGEST_PASSAGE = 8_000

/** Most parts of a passage that a citation opens at. */
export const MOST_PLACES = 100
