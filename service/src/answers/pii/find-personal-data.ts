import type { PiiKind, PiiMasking } from '@citewell/contract/pii-masking'
import { CUSTOM_MASK } from '@citewell/contract/pii-masking'
import {
  compileLinearPattern,
  type LinearPattern,
  type Span,
} from '../../platform/patterns/linear-pattern.ts'
import { createAllowList } from './allow-list.ts'
import { withAsciiSigns } from './ascii-signs.ts'
import { findCards } from './kinds/credit-card.ts'
import { findEmails } from './kinds/email.ts'
import { findIbans } from './kinds/iban.ts'
import { findIpAddresses } from './kinds/ip-address.ts'
import { findNationalIds } from './kinds/national-id.ts'
import { findPhones } from './kinds/phone.ts'
import { findSecrets } from './kinds/secret.ts'
import { visibleText } from './visible-text.ts'

/** In order of precedence for the same finding: the digits of a card may look like a telephone number. */
const FINDERS: readonly (readonly [PiiKind, (text: string) => Span[]])[] = [
  ['secret', findSecrets],
  ['email', findEmails],
  ['iban', findIbans],
  ['credit_card', findCards],
  ['national_id', findNationalIds],
  ['ip_address', findIpAddresses],
  ['phone', findPhones],
]

/** Text without any of these cannot contain a built-in kind. */
const MAY_HAVE_FINDINGS = /[\d@_]|:\/\/|\w{16}/

/** Time that the patterns of an owner may still take on one text. What is left of the text then is masked whole, so that hostile text gains nothing. */
export interface PatternTime {
  leftMs: number
}

export const newPatternTime = (): PatternTime => ({ leftMs: 400 })

export interface MaskedSpan extends Span {
  mask: string
}

/** Finds what must be masked in one unit of a text. */
export type FindPersonalData = (unit: string, time: PatternTime) => MaskedSpan[]

/** Merges overlapping spans, with the mask of the one with the highest precedence. */
function merged(spans: readonly MaskedSpan[]): MaskedSpan[] {
  const rank = new Map(spans.map((span, index) => [span, index]))
  const result: { span: MaskedSpan; rank: number }[] = []
  for (const span of [...spans].sort((left, right) => left.start - right.start)) {
    const last = result.at(-1)
    const own = rank.get(span) ?? 0
    if (last === undefined || span.start >= last.span.end) {
      result.push({ span: { ...span }, rank: own })
      continue
    }
    last.span.end = Math.max(last.span.end, span.end)
    if (own < last.rank) {
      last.span.mask = span.mask
      last.rank = own
    }
  }
  return result.map(({ span }) => span)
}

function customSpans(
  patterns: readonly LinearPattern[],
  unit: string,
  until: number,
): MaskedSpan[] | undefined {
  const spans: MaskedSpan[] = []
  for (const pattern of patterns) {
    const leftMs = until - performance.now()
    const found = leftMs < 0 ? undefined : pattern.findAll(unit, leftMs)
    if (found === undefined) return undefined
    spans.push(...found.map((span) => ({ ...span, mask: CUSTOM_MASK })))
  }
  return spans
}

/** @throws PatternError for an invalid pattern */
export function createFinder(settings: PiiMasking): FindPersonalData {
  const finders = FINDERS.filter(([kind]) => settings.mask.includes(kind))
  const patterns = settings.custom_patterns.map(compileLinearPattern)
  const isAllowed = createAllowList(settings.allow_list)
  return (unit, time) => {
    const { visible, spanOf } = visibleText(unit)
    const plain = withAsciiSigns(visible)
    const builtIn = MAY_HAVE_FINDINGS.test(plain)
      ? finders.flatMap(([kind, find]) => find(plain).map((span) => ({ ...spanOf(span), mask: `[${kind}]` })))
      : []
    const startedAt = performance.now()
    const until = startedAt + time.leftMs
    const custom = customSpans(patterns, unit.trimEnd(), until)
    const found =
      custom === undefined
        ? [{ start: 0, end: unit.trimEnd().length, mask: CUSTOM_MASK }]
        : merged(
            [...builtIn, ...custom].filter(({ start, end }) => !isAllowed(unit.slice(start, end), until)),
          )
    time.leftMs -= performance.now() - startedAt
    return found
  }
}
