import type { Span } from '../../../platform/patterns/linear-pattern.ts'

/** A separator between the digits of a number as people write it. */
const GAP = String.raw`[ .\-/\u00A0\u202F]?`
const BEFORE = String.raw`(?<![\p{L}\p{N}_.+#=/:-])`
/** A plus sign begins a number also directly after a colon, as in `Tel:+49`; it adds after a letter or digit. */
const BEFORE_PLUS = String.raw`(?<![\p{L}\p{N}_+])`
const AFTER = String.raw`(?![\p{L}\p{N}_]|[.:]\d)`

const form = (body: string, before = BEFORE) => new RegExp(`${before}${body}${AFTER}`, 'gu')

const INTERNATIONAL = String.raw`[1-9]\d{0,2}${GAP}(?:\(\d{1,4}\)${GAP})?(?:\d${GAP}){4,12}\d`

const FORMS: readonly { form: RegExp; digits: [number, number] }[] = [
  // +49 (0)30 1234-567, +1 415 555 2671; 0049 30 1234567
  { form: form(String.raw`\+${INTERNATIONAL}`, BEFORE_PLUS), digits: [7, 15] },
  { form: form(String.raw`00${INTERNATIONAL}`), digits: [10, 17] },
  // (415) 555-2671, 415-555-2671, 1-415.555.2671: North America, with its separators
  {
    form: form(String.raw`(?:1[ .-])?(?:\([2-9]\d{2}\)[ ]?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}`),
    digits: [10, 11],
  },
  // 030 1234567, 0171/1234567, (020) 7946 0958, 06-12-34-56-78: with the trunk prefix 0
  {
    form: form(String.raw`(?:\(0[1-9]\d{0,4}\)|0[1-9]\d{0,4})[ \-/](?:\d[ \-]?){4,9}\d`),
    digits: [9, 12],
  },
  { form: form(String.raw`0[1-9](?:\.\d{2}){4}`), digits: [10, 10] },
  // 07911123456: the same without a gap
  { form: form(String.raw`0[1-9]\d{8,9}`), digits: [10, 11] },
]

/** 01-02-2026, 01/02/2026 10: dates, not telephone numbers. */
const DATE = /^\d{1,2}[ /-]\d{1,2}[ /-](?:19|20)\d{2}\b/

/** Telephone numbers as people write them, recognized by a plus sign, a leading 0 or separators. */
export function findPhones(text: string): Span[] {
  return FORMS.flatMap(({ form, digits: [least, most] }) =>
    [...text.matchAll(form)].flatMap(({ 0: written, index }) => {
      const count = written.replaceAll(/\D/g, '').length
      if (count < least || count > most || DATE.test(written)) return []
      return [{ start: index, end: index + written.length }]
    }),
  )
}
