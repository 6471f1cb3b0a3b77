/**
 * The start of a text, without halves of characters: an address cannot be made of one, and the service takes none. A cut leaves one, and so
 * does an answer that was stopped.
 *
 * @param most - characters of JavaScript
 */
export const startOf = (text: string, most: number): string => text.slice(0, most).replaceAll(/\p{Cs}/gu, '')
