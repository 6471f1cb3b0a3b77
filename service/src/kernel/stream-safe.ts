/**
 * Maximum number of combining marks kept on one letter, as in Unicode's stream-safe text format (UAX #15, 13). Ordering marks takes
 * time quadratic in their number: 100,000 on one letter block a thread for seconds.
 */
// bounded: at most 30 characters after each mark
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/** Some characters expand to whole sentences; the result is limited to this many times the input. Ordinary text hardly grows. */
const MAX_EXPANSION = 4

const ASCII = /^[\0-\x7F]*$/

/** `String.prototype.normalize` in linear time for any input. */
export function normalised(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (ASCII.test(text)) return text
  return text
    .replaceAll(TOO_MANY_MARKS, '$1')
    .normalize(form)
    .slice(0, MAX_EXPANSION * text.length)
}
