import {
  address,
  angle,
  bracket,
  code,
  MAX_CONSTRUCT_LENGTH,
  take,
  WAIT,
  type Clean,
  type Step,
} from './stream-constructs.ts'

/** Takes an answer in pieces and returns it in pieces that are safe to show immediately. */
export interface SafeStream {
  push(text: string): string
  end(): string
}

/** The possible start of a construct that must not be shown partially. */
const SPECIAL = /[`<\\\n]|!?\[|(?:https?:\/\/|www\.)/i
/** The end of a piece that may grow into an address or an image. */
const GROWING = /(?:!|h(?:t(?:t(?:p(?:s?:?\/?)?)?)?)?|w(?:w(?:w)?)?)$/i

/** A top-level code fence, whose lines are code whatever they contain. Nested ones are treated as prose. */
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,}(?!~))[^\n]*\n/
/** What may precede the definition of a reference on its line: markers of quotes and lists. */
const BEFORE_A_DEFINITION = /^[\s>*+\d.)-]*$/
const ADDRESS_STARTS = ['http://', 'https://', 'www.']
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
const MAYBE_FENCE = /^ {0,3}(?:`{0,3}|~{0,3}|`{3,}[^`\n]*|~{3}[^\n]*)$/

/** Whether the last word of a line contains an address. */
function endsInAddress(line: string): boolean {
  const lower = line.toLowerCase()
  const at = Math.max(...ADDRESS_STARTS.map((start) => lower.lastIndexOf(start)))
  return at >= 0 && !/\s/.test(lower.slice(at))
}

/** Whether a replacement text would merge with the text before it into a new construct. */
const wouldMerge = (line: string) => /[<![\](\\]/.test(line.slice(-1)) || endsInAddress(line)

/**
 * Holds back everything that could become a link, an image, HTML or half a citation until it is complete, and passes
 * it to `clean`. Everything else is released immediately; code is released line by line.
 */
export function createSafeStream(clean: Clean): SafeStream {
  let held = ''
  let fence: string | undefined
  /** The released part of the current line, or the end of it. */
  let line = ''

  /** A line of a fenced block. */
  function codeLine(opening: string, isEnd: boolean): Step {
    const newline = held.indexOf('\n')
    if (newline < 0) return isEnd ? take(held.length) : WAIT
    const closes = CLOSING_FENCE.exec(held.slice(0, newline))?.[1]
    if (closes !== undefined && closes[0] === opening[0] && closes.length >= opening.length) fence = undefined
    return take(newline + 1)
  }

  /** A line that opens a fenced block, or could still do so. */
  function openingLine(isEnd: boolean): Step | undefined {
    const opened = FENCE.exec(held)
    if (opened !== null) {
      fence = opened[1]
      return take(opened[0].length)
    }
    return !isEnd && MAYBE_FENCE.test(held) && held.length < MAX_CONSTRUCT_LENGTH ? WAIT : undefined
  }

  function construct(isEnd: boolean): Step {
    switch (held.charAt(0)) {
      case '\n':
        return take(1)
      case '\\':
        if (held.length === 1) return isEnd ? take(1) : WAIT
        return take(/^\\[!-/:-@[-`{-~]/.test(held) ? 2 : 1)
      case '`':
        return code(held, isEnd)
      case '<':
        return angle(held, isEnd, clean)
      case '[':
      case '!':
        return bracket(held, isEnd, BEFORE_A_DEFINITION.test(line), clean)
      default:
        return address(held, isEnd, clean)
    }
  }

  function step(isEnd: boolean): Step {
    if (fence !== undefined) return codeLine(fence, isEnd)
    const opening = line === '' ? openingLine(isEnd) : undefined
    if (opening !== undefined) return opening
    const at = held.search(SPECIAL)
    if (at > 0) return take(at)
    if (at === 0) return construct(isEnd)
    const growing = isEnd ? undefined : GROWING.exec(held)?.index
    return growing === 0 ? WAIT : take(growing ?? held.length)
  }

  function flow(isEnd: boolean): string {
    let safe = ''
    while (held !== '') {
      const next = step(isEnd)
      if (next.kind === 'wait') break
      const taken = held.slice(0, next.length)
      const rest = held.slice(next.length)
      const gap = next.text !== undefined && next.text !== taken && wouldMerge(line) ? ' ' : ''
      if (next.text !== undefined && next.text.length < taken.length) {
        // The remainder of a construct may be the start of another: it is checked again together with the following text.
        held = gap + next.text + rest
        continue
      }
      const shown = gap + (next.text ?? taken)
      safe += shown
      line = shown.includes('\n')
        ? shown.slice(shown.lastIndexOf('\n') + 1)
        : (line + shown).slice(-MAX_CONSTRUCT_LENGTH)
      held = rest
    }
    return safe
  }

  return {
    push: (text) => {
      held += text
      return flow(false)
    },
    end: () => flow(true),
  }
}
