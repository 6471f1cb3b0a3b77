/** Characters of an address that readers are given. */
export const MAX_ADDRESS_CHARACTERS = 2_048

/**
 * Characters of an address as a product sends it. The title of an item may be in it, and a character of that takes nine: one long title in
 * Chinese or Japanese must not end the reading of a list.
 */
export const MAX_SENT_CHARACTERS = 20_000

/** An address that opens an item, without its title if that makes it too long. @param path of the item at the same host */
export const shortAddress = (given: string, path: string): string =>
  given.length <= MAX_ADDRESS_CHARACTERS ? given : new URL(path, given).href
