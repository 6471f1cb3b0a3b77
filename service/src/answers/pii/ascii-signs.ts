/** Digits, dashes and spaces beyond ASCII, and the full-width forms of ASCII. */
const OTHER_SIGNS = /(?![\0-\u007F])[\p{Nd}\p{Pd}\p{Zs}\u2212\uFF01-\uFF5E]/gu

const DIGIT = /^\p{Nd}$/u
const DASH = /^[\p{Pd}\u2212]$/u
const FULL_WIDTH = /^[\uFF01-\uFF5E]$/
const FULL_WIDTH_OFFSET = 0xfe_e0

/** Decimal digits stand in runs of ten, from zero to nine, which do not touch each other. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

function asciiOf(sign: string): string {
  // Beyond the basic plane a sign has two UTF-16 units: offsets would not be those of the text.
  if (sign.length > 1) return sign
  if (FULL_WIDTH.test(sign)) return String.fromCodePoint((sign.codePointAt(0) ?? 0) - FULL_WIDTH_OFFSET)
  return DIGIT.test(sign) ? String(valueOf(sign)) : DASH.test(sign) ? '-' : ' '
}

/**
 * A text in which digits of all scripts, and the dashes and spaces of typesetting, are those of ASCII, at the same offsets: personal data
 * is the same in each of them.
 *
 * @example
 * withAsciiSigns('٠٥٠\u00A0１２') // '050 12'
 */
export const withAsciiSigns = (text: string): string => text.replaceAll(OTHER_SIGNS, asciiOf)
