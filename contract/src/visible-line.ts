/**
 * Characters that are invisible or change the order of letters, so that a reader sees something other than a program does: control
 * characters, direction marks and overrides, zero-width spaces, tags, and variation selectors other than those of emoji.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu

/** Joiners belong between letters of some scripts and between emoji. Elsewhere they only hide text. */
const JOINER_ALONE = /(?<![^\0-\u024F])[\u200C\u200D]|[\u200C\u200D](?![^\0-\u024F])/gu

/** Every character that some program treats as a line break or white space. */
const SPACES = /[\s\u0085\u2028\u2029]+/g

/**
 * A text as one line whose characters are all visible: line breaks become spaces, and what hides or turns letters around is left out.
 *
 * @example
 * visibleLine('Keys\r\n\u202Eand tokens ') // 'Keys and tokens'
 */
export const visibleLine = (text: string): string =>
  text.toWellFormed().replaceAll(INVISIBLE, '').replaceAll(JOINER_ALONE, '').replaceAll(SPACES, ' ').trim()
