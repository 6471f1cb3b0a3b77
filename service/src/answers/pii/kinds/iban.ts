import type { Span } from '../../../platform/patterns/linear-pattern.ts'
import { continuesWord, remainder } from './digit-groups.ts'

/** Length of an IBAN by country. */
const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29',
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20',
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29',
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

const BEGINNING = /(?<![\p{L}\p{N}_])[a-z]{2} ?\d{2}/giu

/** IBANs, with or without groups, with the length of their country and valid check digits. */
export function findIbans(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: beginning, index } of text.matchAll(BEGINNING)) {
    const length = LENGTHS[beginning.slice(0, 2).toUpperCase()] ?? 0
    let compact = ''
    let at = index
    while (compact.length < length && at < text.length) {
      const character = text.charAt(at)
      if (/[a-z0-9]/i.test(character)) compact += character
      else if (!' -'.includes(character) || compact === '') break
      at += 1
    }
    const isWhole = length > 0 && compact.length === length && !continuesWord(text.charAt(at))
    if (isWhole && remainder(compact.slice(4) + compact.slice(0, 4), 97) === 1)
      spans.push({ start: index, end: at })
  }
  return spans
}
