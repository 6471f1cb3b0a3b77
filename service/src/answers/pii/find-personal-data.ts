import type { PiiKind, PiiMasking } from '@citewell/contract/pii-masking'
import { CUSTOM_MASK } from '@citewell/contract/pii-masking'
import {
  compileLinearPattern,
  type LinearPattern,
  type Span,
} from '../../platform/patterns/linear-pattern.ts'
import { createAllowList } from './allow-list.ts'
import { findCards } from './kinds/credit-card.ts'
import { findEmails } from './kinds/email.ts'
import { findIbans } from './kinds/iban.ts'
import { findIpAddresses } from './kinds/ip-address.ts'
import { findNationalIds } from './kinds/national-id.ts'
import { findPhones } from './kinds/phone.ts'
import { findSecrets } from './kinds/secret.ts'

/** In the order of their say where two find the same: a card's digits may look like a telephone number. */
const FINDERS: readonly (readonly [PiiKind, (text: string) => Span[]])[] = [
  ['secret', findSecrets],
  ['email', findEmails],
  ['iban', findIbans],
  ['credit_card', findCards],
  ['national_id', findNationalIds],
  ['ip_address', findIpAddresses],
  ['phone', findPhones],
]

/** Without one of these there is nothing that a built-in kind could find. */
const WORTH_A_LOOK = /[\d@_]|:\/\/|\w{16}/

/** Milliseconds for one owner's patterns on one unit. A unit that takes longer is masked whole: hostile texts gain nothing. */
const BUDGET_MS = 200

export interface MaskedSpan extends Span {
  mask: string
}

/** Finds what a knowledge base wants masked in one unit of a text. */
export type FindPersonalData = (unit: string) => MaskedSpan[]

/** Spans that touch the same characters become one, with the mask of the one that has more say. */
function merged(spans: readonly MaskedSpan[]): MaskedSpan[] {
  const rank = new Map(spans.map((span, place) => [span, place]))
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

function customSpans(patterns: readonly LinearPattern[], unit: string): MaskedSpan[] | undefined {
  const until = performance.now() + BUDGET_MS
  const spans: MaskedSpan[] = []
  for (const pattern of patterns) {
    const found = pattern.findAll(unit, until - performance.now())
    if (found === undefined) return undefined
    spans.push(...found.map((span) => ({ ...span, mask: CUSTOM_MASK })))
  }
  return spans
}

/** @throws PatternError for a pattern that cannot be used */
export function createFinder(settings: PiiMasking): FindPersonalData {
  const finders = FINDERS.filter(([kind]) => settings.mask.includes(kind))
  const patterns = settings.custom_patterns.map(compileLinearPattern)
  const isAllowed = createAllowList(settings.allow_list)
  return (unit) => {
    const builtIn = WORTH_A_LOOK.test(unit)
      ? finders.flatMap(([kind, find]) => find(unit).map((span) => ({ ...span, mask: `[${kind}]` })))
      : []
    const custom = customSpans(patterns, unit.trimEnd())
    if (custom === undefined) return [{ start: 0, end: unit.trimEnd().length, mask: CUSTOM_MASK }]
    return merged([...builtIn, ...custom].filter(({ start, end }) => !isAllowed(unit.slice(start, end))))
  }
}
