/** What to do with the start of the held text: release this many characters (replaced by `text` if they are unsafe), or wait. */
export type Step = { kind: 'take'; length: number; text: string | undefined } | { kind: 'wait' }

/** Sanitizes a complete construct. */
export type Clean = (part: string) => string

export const WAIT: Step = { kind: 'wait' }
export const take = (length: number, text?: string): Step => ({ kind: 'take', length, text })

/** Maximum length of a construct in characters; the stream does not wait longer for its end. */
export const MAX_CONSTRUCT_LENGTH = 2_000

/** Index of the bracket that closes the one at `from`; undefined when there is none yet. */
function closing(text: string, from: number, open: string, close: string): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === open) depth += 1
    else if (text[at] === close) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return undefined
}

/** No construct spans an empty line. */
const paragraphOf = (text: string) => text.split(/\n[ \t]*\n/, 1)[0] ?? ''

/** Whether a construct can no longer be closed: a paragraph ended, or it became too long. */
const isAbandoned = (text: string, isEnd: boolean) =>
  isEnd || text.length > MAX_CONSTRUCT_LENGTH || /\n[ \t]*\n/.test(text)

/**
 * `[label](address)`, an image, a definition, a citation, or brackets without meaning. If it is not closed on the same line,
 * the opening bracket is escaped, so that nothing later can close it.
 */
export function bracket(text: string, isEnd: boolean, mayDefine: boolean, clean: Clean): Step {
  const opener = text.startsWith('!') ? 2 : 1
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text : text.slice(0, newline)
  const isOpen = newline < 0 && !isEnd && text.length <= MAX_CONSTRUCT_LENGTH
  const end = closing(line, opener - 1, '[', ']')
  if (end === undefined) return isOpen ? WAIT : take(opener, '\\[')
  const next = line[end + 1]
  if (next === undefined && isOpen) return WAIT
  if (next === '(') {
    const close = closing(line, end + 1, '(', ')')
    if (close === undefined) return isOpen ? WAIT : take(opener, '\\[')
    return take(close + 1, clean(line.slice(0, close + 1)))
  }
  const isCitation = /^\[\s*\d[\d\s,;]*\]/.test(line)
  // The definition of a reference would turn brackets elsewhere into links: it is made plain text.
  if (next === ':' && mayDefine)
    return isCitation ? take(end + 2, `${line.slice(0, end + 1)}\\:`) : take(opener, '\\[')
  // A citation, or brackets without meaning: their content is checked separately.
  return isCitation ? take(end + 1) : take(opener)
}

/**
 * Inline code within a line is released unchanged. An unmatched backtick is escaped, so that no later one pairs with it:
 * on the next line a block may begin that ends all code.
 */
export function code(text: string, isEnd: boolean): Step {
  const run = /^`+/.exec(text)?.[0] ?? '`'
  const newline = text.indexOf('\n')
  const rest = text.slice(run.length, newline < 0 ? undefined : newline)
  const end = [...rest.matchAll(/`+/g)].find(([ticks]) => ticks.length === run.length)
  // The run of backticks, or the one that closes it, may still grow.
  const isOpen = newline < 0 && !isEnd && text.length < MAX_CONSTRUCT_LENGTH
  if (end === undefined) return isOpen ? WAIT : take(run.length, run.replaceAll('`', '\\`'))
  const length = run.length + end.index + run.length
  return isOpen && length === text.length ? WAIT : take(length)
}

/** HTML, which is escaped (comments are dropped), or an address in angle brackets. */
export function angle(text: string, isEnd: boolean, clean: Clean): Step {
  if (text.length === 1 && !isEnd) return WAIT
  if (!/^<[a-z/!?]/i.test(text)) return take(1)
  const paragraph = paragraphOf(text)
  const whole = (text.startsWith('<!--') ? /^<!--[^]*?-->/ : /^<[^>]*>/).exec(paragraph)?.[0]
  if (whole === undefined) return isAbandoned(text, isEnd) ? take(1, '&lt;') : WAIT
  if (whole.startsWith('<!--')) return take(whole.length, '')
  if (!/^<https?:[^\s<>]*>$/i.test(whole)) return take(1, '&lt;')
  return clean(whole) === whole ? take(whole.length) : take(whole.length, whole.slice(1, -1))
}

/** A bare address in the text; one followed directly by brackets or backticks does not count. */
export function address(text: string, isEnd: boolean, clean: Clean): Step {
  const found = /^[^\s<]+/.exec(text)?.[0] ?? text
  if (found.length === text.length && !isEnd && found.length < MAX_CONSTRUCT_LENGTH) return WAIT
  const isPlain = !/[[\]`]/.test(found)
  return take(found.length, isPlain ? clean(found) : found.replaceAll(/https?:\/\/|www\./gi, ''))
}
