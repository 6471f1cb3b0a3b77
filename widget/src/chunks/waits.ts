/** How long a reader waits for what they pressed, and a page for a file, in milliseconds: what was wanted minutes ago is not wanted. */
export const LONGEST_WAIT_MS = 16_000

/** A wait shorter than this is not shown, in milliseconds. */
export const WORDLESS_MS = 128

/** Pauses before a service that did not answer is asked again grow up to this, in milliseconds. */
export const LAST_PAUSE_MS = 320_000
