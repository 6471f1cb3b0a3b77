/**
 * Most marks over one letter that are kept, as in Unicode's stream-safe text format (UAX #15, 13). Putting marks in order takes
 * a time that grows with the square of their number: 100,000 over one letter hold a thread for seconds.
 */
// bounded: at most 30 characters after each mark
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/** Some signs stand for whole sentences: of a text of nothing else, only the first are kept. Ordinary text becomes hardly longer. */
const MOST_LONGER = 4

/** What `normalize` does, in a time in proportion to the text, whatever somebody wrote. */
export function normalised(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text
    .replaceAll(TOO_MANY_MARKS, '$1')
    .normalize(form)
    .slice(0, MOST_LONGER * text.length)
}
