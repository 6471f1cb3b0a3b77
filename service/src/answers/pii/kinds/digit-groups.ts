/** The digits from an offset in a text on, skipping single separators between them. */
export interface DigitRun {
  digits: string
  /** Offset in the text after each digit: `ends[3]` follows the fourth. */
  ends: number[]
}

const DIGIT = /\d/

/** Reads up to `most` digits from `start`, with at most one separator between two. */
export function readDigits(text: string, start: number, most: number, separators: string): DigitRun {
  const run: DigitRun = { digits: '', ends: [] }
  let at = start
  while (run.digits.length < most && at < text.length) {
    const character = text.charAt(at)
    if (DIGIT.test(character)) {
      run.digits += character
      run.ends.push(at + 1)
      at += 1
    } else if (run.digits !== '' && separators.includes(character) && DIGIT.test(text.charAt(at + 1))) {
      at += 1
    } else {
      break
    }
  }
  return run
}

/** Whether a character next to a number makes it part of something else: a word, a longer number, a version. */
export const continuesWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character)

/** Luhn check digit, of cards and of some national numbers. */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index))
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Modulo of a number that is too long for arithmetic; letters count as 10 to 35. */
export function remainder(text: string, divisor: number): number {
  let rest = 0
  for (const character of text.toUpperCase()) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % divisor
  }
  return rest
}
