/** A link as a person reads it on a terminal: its words, without the address. */
export const withoutAddresses = (text: string) =>
  // bounded: at most 2,000 characters of an address
  text.replaceAll(/\[([^\][]*)\]\(<?https?:[^)\s]{0,2000}\)/g, '$1')

/** The beginning of a marker or a link that the next piece may go on with; a longer one is printed as it stands. */
// bounded: at most 710 characters after each bracket
const UNFINISHED = /\[[^\][\n]{0,200}(?:\](?:\([^)\s]{0,500})?)?$/

const MARKER = /\[(\d+)\]/g

export interface AnswerStream {
  /** The numbers under which pages were found. */
  offer(numbers: readonly number[]): void
  /** Takes the next piece of an answer, and gives what may be printed now. */
  take(delta: string): string
  /** What was held back. */
  end(): string
  /** The whole text so far, with its links, and numbered as it was printed. */
  numbered(): string
}

/**
 * An answer as it is printed while it is written: its sources are numbered from 1 in the order in which they appear, as in the final
 * answer, and not by their place among all that was found.
 *
 * @example
 * // deltas 'See [5', '] and [2], then [5].' are printed as 'See [1] and [2], then [1].'
 */
export function createAnswerStream(): AnswerStream {
  const offered = new Set<number>()
  const numberOf = new Map<number, number>()
  let held = ''
  let whole = ''

  const renumber = (text: string) =>
    text.replaceAll(MARKER, (marker, digits: string) => {
      const found = Number(digits)
      if (!offered.has(found)) return marker
      const number = numberOf.get(found) ?? numberOf.size + 1
      numberOf.set(found, number)
      return `[${number}]`
    })
  const printed = (text: string) => {
    const numbered = renumber(text)
    whole += numbered
    return withoutAddresses(numbered)
  }
  return {
    offer: (numbers) => {
      for (const number of numbers) offered.add(number)
    },
    take: (delta) => {
      const text = held + delta
      const at = text.search(UNFINISHED)
      held = at < 0 ? '' : text.slice(at)
      return printed(at < 0 ? text : text.slice(0, at))
    },
    end: () => {
      const rest = held
      held = ''
      return printed(rest)
    },
    numbered: () => whole,
  }
}
