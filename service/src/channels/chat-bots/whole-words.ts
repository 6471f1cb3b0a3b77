/** What is written so far up to its last white space: half a word may still become another, such as a mention. */
export const wholeWords = (text: string): string => /^[^]*\s/.exec(text)?.[0] ?? ''
