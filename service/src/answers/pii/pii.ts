import type { PiiMasking } from '@citewell/contract/pii-masking'
import { createFinder, type FindPersonalData } from './find-personal-data.ts'
import { unitEnd } from './masking-units.ts'

/** Texts whose words are nobody's secret: what the pages and the owner say. */
export type PublicTexts = readonly string[]

/** Takes a text in pieces and gives it back masked, never half of what has to be. */
export interface MaskingStream {
  push(piece: string): string
  end(): string
}

/** How one knowledge base masks personal data. */
export interface Masking {
  /** False where nothing is to be masked. */
  readonly isOn: boolean
  /** Readers' words: everything that is found is masked. */
  mask(text: string): string
  /** An answer: what stands in these texts too is left, such as the support address that the pages name. */
  maskAnswer(text: string, known: PublicTexts): string
  /** The same for an answer that comes in pieces. */
  startAnswer(known: PublicTexts): MaskingStream
}

/** Of a base that masks nothing. */
export const KEEPS_ALL: Masking = {
  isOn: false,
  mask: (text) => text,
  maskAnswer: (text) => text,
  startAnswer: () => ({ push: (piece) => piece, end: () => '' }),
}

const NOTHING_KNOWN = () => false

function maskUnit(unit: string, find: FindPersonalData, isKnown: (found: string) => boolean): string {
  let masked = ''
  let at = 0
  for (const { start, end, mask } of find(unit)) {
    if (isKnown(unit.slice(start, end))) continue
    masked += unit.slice(at, start) + mask
    at = end
  }
  return masked + unit.slice(at)
}

/** Whether something stands in the texts. They are read only when something was found. */
function knownFrom(texts: PublicTexts): (found: string) => boolean {
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
  if (settings.mask.length === 0 && settings.custom_patterns.length === 0) return KEEPS_ALL
  const find = createFinder(settings)
  // Whose patterns nobody knows may reach over any words of a line.
  const wholeLines = settings.custom_patterns.length > 0

  function startMasking(isKnown: (found: string) => boolean): MaskingStream {
    let held = ''
    return {
      push: (piece) => {
        held += piece
        let ready = ''
        for (let end = unitEnd(held, wholeLines); end !== undefined; end = unitEnd(held, wholeLines)) {
          ready += maskUnit(held.slice(0, end), find, isKnown)
          held = held.slice(end)
        }
        return ready
      },
      end: () => {
        const rest = maskUnit(held, find, isKnown)
        held = ''
        return rest
      },
    }
  }
  const maskWhole = (text: string, isKnown: (found: string) => boolean) => {
    const stream = startMasking(isKnown)
    return stream.push(text) + stream.end()
  }

  return {
    isOn: true,
    mask: (text) => maskWhole(text, NOTHING_KNOWN),
    maskAnswer: (text, known) => maskWhole(text, knownFrom(known)),
    startAnswer: (known) => startMasking(knownFrom(known)),
  }
}

/** Masks the pieces of an answer as they come. */
export async function* maskPieces(
  pieces: AsyncIterable<string>,
  stream: MaskingStream,
): AsyncGenerator<string, void, void> {
  for await (const piece of pieces) {
    const masked = stream.push(piece)
    if (masked !== '') yield masked
  }
  const rest = stream.end()
  if (rest !== '') yield rest
}
