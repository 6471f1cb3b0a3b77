/** Digits from a place in a text on, passing over single separators between them. */
export interface DigitRun {
  digits: string
  /** Where the text ends behind each digit: `ends[3]` follows the fourth. */
  ends: number[]
}

const DIGIT = /\d/

/** Reads up to `most` digits from `start`, with at most one of the separators between two. */
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

/** Whether a character that stands beside a number makes it part of something else: a word, a longer number, a version. */
export const goesOn = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character)

/** The check digit of cards and of some national numbers. */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place))
    const doubled = digit * 2
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The remainder of a number too long for arithmetic; letters count as 10 to 35. */
export function remainder(text: string, divisor: number): number {
  let rest = 0
  for (const character of text.toUpperCase()) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % divisor
  }
  return rest
}
