import type { Span } from '../../../platform/patterns/linear-pattern.ts'
import { remainder } from './digit-groups.ts'

interface NationalNumber {
  form: RegExp
  /** Whether the check digit or letter is valid for a number without its separators. */
  isValid: (compact: string) => boolean
}

const form = (body: string, flags = 'gu') =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${body}(?![\p{L}\p{N}_]|[.-]\d)`, flags)

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const ITALIAN_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

function isSpanish(compact: string): boolean {
  const number = compact.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return SPANISH_LETTERS.charAt(Number(number) % 23) === compact.at(-1)
}

function isItalian(compact: string): boolean {
  let sum = 0
  for (const [place, character] of compact.slice(0, 15).split('').entries()) {
    const value = /\d/.test(character) ? Number(character) : (character.codePointAt(0) ?? 65) - 65
    sum += place % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value
  }
  return String.fromCodePoint(65 + (sum % 26)) === compact.at(-1)
}

function isBrazilian(compact: string): boolean {
  const checkOf = (digits: string) => {
    const sum = digits
      .split('')
      .reduce((total, digit, place) => total + Number(digit) * (digits.length + 1 - place), 0)
    return String(((sum * 10) % 11) % 10)
  }
  const nine = compact.slice(0, 9)
  const tenth = checkOf(nine)
  return new Set(compact).size > 1 && compact.slice(9) === tenth + checkOf(nine + tenth)
}

const NUMBERS: readonly NationalNumber[] = [
  // USA: social security.
  {
    form: form(String.raw`(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}`),
    isValid: () => true,
  },
  // United Kingdom: national insurance. QQ is never assigned; it is used in examples.
  {
    form: form(
      String.raw`(?:QQ|(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]) ?\d{2} ?\d{2} ?\d{2} ?[A-D]`,
    ),
    isValid: () => true,
  },
  // Spain: DNI and NIE.
  { form: form(String.raw`(?:[XYZ]-?\d{7}|\d{8})-?[A-Z]`), isValid: isSpanish },
  // Italy: codice fiscale.
  { form: form(String.raw`[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]`), isValid: isItalian },
  // France: social security, which ends in 97 minus the remainder.
  {
    form: form(String.raw`[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}`),
    isValid: (compact) => 97 - remainder(compact.slice(0, 13), 97) === Number(compact.slice(13)),
  },
  // Brazil: CPF, in its written form.
  { form: form(String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`), isValid: isBrazilian },
]

/** National identification numbers, each by its own format and check digit. */
export function findNationalIds(text: string): Span[] {
  return NUMBERS.flatMap(({ form, isValid }) =>
    [...text.matchAll(form)]
      .filter(([written]) => isValid(written.replaceAll(/[^A-Z\d]/g, '')))
      .map(({ 0: written, index }) => ({ start: index, end: index + written.length })),
  )
}
