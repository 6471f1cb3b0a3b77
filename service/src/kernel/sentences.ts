import { isAbbreviated } from './abbreviations.ts'

export interface Sentence {
  /** Offsets in the text; the space after a sentence belongs to it. */
  start: number
  end: number
  text: string
}

/** What ends a sentence in some language, with the marks and brackets that close behind it, and with a page's own reference: `.[1]`. */
const ENDING =
  // bounded: at most 60 characters behind the signs that end a sentence
  /(?<![\p{STerm}…])[\p{STerm}…]{1,40}(?:[\p{Pe}\p{Pf}\p{Pi}"'*_~]|\\[*_~\]]){0,12}(?:\\?\[[\p{L}\p{N} ]{1,12}\\?\]){0,3}/gu

/** Signs after which no white space stands: those of scripts that are written without it. */
const UNSPACED = /[。！？｡．︒﹒﹗﹖]/u
/** What a sentence does not end with before a full stop or a sign of another kind: `HEAD^!`, `..`, `#!`. */
const CODE_BEFORE = /[\s^$@#=/<|&+~([{-]$/u
/** The same for signs that French writes behind a space. */
const CODE_BEFORE_SIGN = /[$^@#=/<|&+~([{-]$/u
/** A word and a space. Behind it a full stop that stands alone ends a sentence, before a capital letter: "a hormone . It regulates". */
const WORD_BEFORE = /[\p{L}\p{N})\]"'”»]\s$/u
const CAPITAL = /^\p{Lu}/u
/** What goes on: a comma, a dash, a closing bracket. */
const GOES_ON = /^[,;:)\]}\p{Pd}]/u
/** What stands before the first letter of a sentence: quotation marks, brackets, marks of Markdown. */
const OPENINGS = /^[\p{Ps}\p{Pi}\p{Pf}"'*_~`¿¡\\]*/u

/** How much of the text beside a boundary is looked at. */
const BESIDE = 60
/** Maximum length of a quotation or of brackets within which no sentence ends. One that is never closed must not keep a text together. */
const MAX_WITHIN = 400

const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['«', '»'],
  ['„', '“'],
  ['“', '”'],
  ['「', '」'],
  ['『', '』'],
  ['（', '）'],
])
const BRACKETS = /["()[\]«»„“”「」『』（）]/g

/** Whether a quotation or a bracket that began in this text is open at its end. */
function isWithin(text: string): boolean {
  const open: string[] = []
  for (const [sign] of text.matchAll(BRACKETS)) {
    const last = open.at(-1)
    // “ begins an English quotation and ends a German one; " does both.
    const closes = last !== undefined && (sign === CLOSING.get(last) || (last === '„' && sign === '”'))
    if (closes || (sign === '"' && last === '"')) open.pop()
    else if (sign === '"' || CLOSING.has(sign)) open.push(sign)
  }
  return open.length > 0
}

/** Whether a text goes on with a lower-case letter; behind a full stop, also if only a number stands before it: "approx. 30 minutes". */
function goesOnInLowerCase(next: string, isFullStop: boolean): boolean {
  const said = next.replace(OPENINGS, '')
  return /^\p{Ll}/u.test(isFullStop ? said.replace(/^[\d.,:\s]{1,20}(?=\p{L})/u, '') : said)
}

/** A place where a sentence may end: its signs, and where the next one would begin. */
interface Place {
  signs: string
  at: number
  next: number
}

function isBoundary(text: string, start: number, { signs, at, next }: Place): boolean {
  const after = text.slice(next, next + BESIDE)
  if (GOES_ON.test(after)) return false
  const ending = /^[\p{STerm}…]+/u.exec(signs)?.[0] ?? ''
  const isUnspaced = UNSPACED.test(ending)
  if (next === at + signs.length && !isUnspaced) return false
  const before = text.slice(Math.max(start, at - BESIDE), at).replace(/\\$/, '')
  const isFullStop = /^[.…]+$/.test(ending)
  const isAlone = ending === '.' && WORD_BEFORE.test(before) && CAPITAL.test(after.replace(OPENINGS, ''))
  if (!isUnspaced && !isAlone && (isFullStop ? CODE_BEFORE : CODE_BEFORE_SIGN).test(before)) return false
  if (goesOnInLowerCase(after, isFullStop)) return false
  if (ending === '.' && isAbbreviated(`${before}.`, after.replace(OPENINGS, ''))) return false
  return !isWithin(text.slice(Math.max(start, at - MAX_WITHIN), at + signs.length))
}

/**
 * The sentences of a text, in order, covering all of it. A line break ends one. Otherwise a sentence only ends before white space, except
 * in scripts that have none, and never before a lower-case letter, in brackets or after an abbreviation: a quote that begins too late or
 * ends too early may say the opposite.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  const endAt = (end: number) => {
    if (end > start) sentences.push({ start, end, text: text.slice(start, end) })
    start = Math.max(start, end)
  }
  for (const line of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const { index, 0: whole } = line
    for (const { 0: signs, index: place } of whole.matchAll(ENDING)) {
      const at = index + place
      const behind = whole.slice(place + signs.length)
      const next = at + signs.length + (behind.length - behind.trimStart().length)
      if (next < index + whole.length && isBoundary(text, start, { signs, at, next })) endAt(next)
    }
    endAt(index + whole.length)
  }
  return sentences
}
