/**
 * The canonical form of an e-mail address, by which people are found and counted.
 *
 * @example
 * canonicalEmail(' Grace@Example.com\t') // 'grace@example.com'
 */
export const canonicalEmail = (typed: string): string => typed.trim().toLowerCase()
