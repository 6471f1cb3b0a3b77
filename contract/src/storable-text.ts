/** Whether PostgreSQL can store a text as it is: U+0000 and half of a surrogate pair it cannot. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
