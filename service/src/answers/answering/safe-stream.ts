import {
  address,
  angle,
  bracket,
  code,
  LONGEST_CHARACTERS,
  take,
  WAIT,
  type Clean,
  type Step,
} from './stream-constructs.ts'

/** Takes an answer in pieces and gives it back in pieces that are safe to show as they come. */
export interface SafeStream {
  push(text: string): string
  end(): string
}

/** Where a construct may begin that must not be shown in parts. */
const SPECIAL = /[`<\\\n]|!?\[|(?:https?:\/\/|www\.)/i
/** The end of a piece that may grow into an address or a picture. */
const GROWING = /(?:!|h(?:t(?:t(?:p(?:s?:?\/?)?)?)?)?|w(?:w(?:w)?)?)$/i

/** A fence at the top of the page, whose lines are code whatever they look like. Others are read like prose. */
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,}(?!~))[^\n]*\n/
/** What may stand in a line before the definition of a reference: signs of quotes and lists. */
const BEFORE_A_DEFINITION = /^[\s>*+\d.)-]*$/
const ADDRESS_AT_END = /(?<!\S)(?=\S*$)\S*?(?:https?:\/\/|www\.)/i
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
const MAYBE_FENCE = /^ {0,3}(?:`{0,3}|~{0,3}|`{3,}[^`\n]*|~{3}[^\n]*)$/

/** Whether words in the place of something else would become one thing with what stands before them. */
const runsTogether = (line: string) => ADDRESS_AT_END.test(line) || /[<![\](\\]$/.test(line)

/**
 * Holds back whatever could turn out to be a link, a picture, HTML or half a citation until it is whole, and lets
 * `clean` decide on it. Everything else passes at once; code passes by the line.
 */
export function createSafeStream(clean: Clean): SafeStream {
  let held = ''
  let fence: string | undefined
  /** What was let go of the line so far, or the end of it. */
  let line = ''

  /** A line of a fenced block. */
  function codeLine(opening: string, isEnd: boolean): Step {
    const newline = held.indexOf('\n')
    if (newline < 0) return isEnd ? take(held.length) : WAIT
    const closes = CLOSING_FENCE.exec(held.slice(0, newline))?.[1]
    if (closes !== undefined && closes[0] === opening[0] && closes.length >= opening.length) fence = undefined
    return take(newline + 1)
  }

  /** A line that opens a fenced block, or could still turn out to. */
  function openingLine(isEnd: boolean): Step | undefined {
    const opened = FENCE.exec(held)
    if (opened !== null) {
      fence = opened[1]
      return take(opened[0].length)
    }
    return !isEnd && MAYBE_FENCE.test(held) && held.length < LONGEST_CHARACTERS ? WAIT : undefined
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
      const gap = next.text !== undefined && next.text !== taken && runsTogether(line) ? ' ' : ''
      if (next.text !== undefined && next.text.length < taken.length) {
        // What is left of a construct may be the beginning of another: it is looked at again, with what follows.
        held = gap + next.text + rest
        continue
      }
      const shown = gap + (next.text ?? taken)
      safe += shown
      line = shown.includes('\n')
        ? shown.slice(shown.lastIndexOf('\n') + 1)
        : (line + shown).slice(-LONGEST_CHARACTERS)
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
