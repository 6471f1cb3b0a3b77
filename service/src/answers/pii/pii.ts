import type { PiiMasking } from '@citewell/contract/pii-masking'
import { createFinder, newPatternTime, type MaskedSpan } from './find-personal-data.ts'
import { unitEnd } from './masking-units.ts'

/** Texts that an answer may repeat unmasked: those of the pages and the owner. */
export type PublicTexts = readonly string[]

/** Masks a text that arrives in pieces, and never releases part of a finding. */
export interface MaskingStream {
  push(piece: string): string
  end(): string
}

/** How one knowledge base masks personal data. */
export interface Masking {
  /** False if nothing is masked. */
  readonly isOn: boolean
  /** A reader's text: all findings are masked. */
  mask(text: string): string
  /** An answer: findings that also occur in these texts are kept, such as the support address on a page. */
  maskAnswer(text: string, known: PublicTexts): string
  /** The same for an answer that arrives in pieces. */
  startAnswer(known: PublicTexts): MaskingStream
  /** A text as `mask` masks it, and what was found in it, in order: to try the settings. */
  show(text: string): MaskedText
}

export interface MaskedText {
  masked: string
  found: { text: string; mask: string }[]
}

/** For a base that masks nothing. */
export const NO_MASKING: Masking = {
  isOn: false,
  mask: (text) => text,
  maskAnswer: (text) => text,
  startAnswer: () => ({ push: (piece) => piece, end: () => '' }),
  show: (text) => ({ masked: text, found: [] }),
}

/** Whether a finding stays unmasked. */
type IsKnown = (found: string, mask: string) => boolean

const NOTHING_KNOWN: IsKnown = () => false

function maskUnit(unit: string, found: readonly MaskedSpan[], isKnown: IsKnown): string {
  let masked = ''
  let at = 0
  for (const { start, end, mask } of found) {
    if (isKnown(unit.slice(start, end), mask)) continue
    masked += unit.slice(at, start) + mask
    at = end
  }
  return masked + unit.slice(at)
}

/** Whether a finding occurs in the texts. They are only read when there is a finding. */
function knownFrom(texts: PublicTexts): IsKnown {
  let joined: string | undefined
  return (found) => {
    joined ??= texts.join('\n').toLowerCase()
    return joined.includes(found.toLowerCase())
  }
}

/**
 * Masking by the settings of a knowledge base.
 *
 * @throws PatternError for settings that `piiMaskingFaults` would refuse
 */
export function createMasking(settings: PiiMasking): Masking {
  if (settings.mask.length === 0 && settings.custom_patterns.length === 0) return NO_MASKING
  const find = createFinder(settings)
  // A pattern of the owner may match any words of a line.
  const wholeLines = settings.custom_patterns.length > 0

  function startMasking(isKnown: IsKnown): MaskingStream {
    let held = ''
    const time = newPatternTime()
    const masked = (unit: string) => maskUnit(unit, find(unit, time), isKnown)
    return {
      push: (piece) => {
        held += piece
        let ready = ''
        for (let end = unitEnd(held, wholeLines); end !== undefined; end = unitEnd(held, wholeLines)) {
          ready += masked(held.slice(0, end))
          held = held.slice(end)
        }
        return ready
      },
      end: () => {
        const rest = masked(held)
        held = ''
        return rest
      },
    }
  }
  const maskWhole = (text: string, isKnown: IsKnown) => {
    const stream = startMasking(isKnown)
    return stream.push(text) + stream.end()
  }

  return {
    isOn: true,
    mask: (text) => maskWhole(text, NOTHING_KNOWN),
    maskAnswer: (text, known) => maskWhole(text, knownFrom(known)),
    startAnswer: (known) => startMasking(knownFrom(known)),
    show: (text) => {
      const found: MaskedText['found'] = []
      const masked = maskWhole(text, (it, mask) => {
        found.push({ text: it, mask })
        return false
      })
      return { masked, found }
    },
  }
}
