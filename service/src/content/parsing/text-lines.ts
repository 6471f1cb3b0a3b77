import { endsAsSentence, isOwnLine } from '../../kernel/own-lines.ts'
import { escapeLineStart, escapeText } from './inline-markdown.ts'
import type { Block } from './parsing-blocks.ts'

const BULLET = /^\s{0,8}[-*•]\s+(?=\S)/
const NUMBER = /^\s{0,8}(\d{1,4})[.)]\s+(?=\S)/

const indentOf = (line: string) => line.length - line.trimStart().length

/** Lines that each begin with a bullet, or with the number after the one before, as a list; a line that goes on is indented. */
export function listOfText(lines: readonly string[]): Block | undefined {
  const [first = ''] = lines
  const number = NUMBER.exec(first)?.[1]
  const mark = number === undefined ? BULLET : NUMBER
  const items: string[] = []
  for (const line of lines) {
    const found = indentOf(line) > indentOf(first) ? null : mark.exec(line)
    const isNext = number === undefined || Number(found?.[1]) === Number(number) + items.length
    if (found !== null && isNext) items.push(escapeText(line.slice(found[0].length).trim()))
    else if (goesOnItem(line, first) && items.length > 0)
      items.push(`${items.pop() ?? ''} ${escapeText(line.trim())}`)
    else return undefined
  }
  if (items.length < 2) return undefined
  return number === undefined
    ? { kind: 'list', items, isOrdered: false }
    : { kind: 'list', items, isOrdered: true, start: Number(number) }
}

const goesOnItem = (line: string, first: string) =>
  indentOf(line) > indentOf(first) && !BULLET.test(line) && !NUMBER.test(line)

/** Whether the next line's first word had room in this one: its writer ended the line on purpose. */
function isEndedEarly(line: string, next: string, width: number): boolean {
  const [word = ''] = /^\S+/.exec(next) ?? []
  return line.length + 1 + word.length <= width && (endsAsSentence(line) || !/^\p{Ll}/u.test(next))
}

/** Whether a line break is more than the end of a full line: the lines are ended early, labelled, or rows. */
const isBroken = (line: string, next: string, width: number) =>
  isEndedEarly(line, next, width) || (isOwnLine(line, next) && !(endsAsSentence(line) && isFull(line, width)))

/** Full lines are those of running text, which may end where a sentence does. */
const isFull = (line: string, width: number) => width >= 60 && line.length > width - 15

/**
 * Lines as a paragraph. Line breaks that mean something stay as such; others are soft.
 *
 * @param width of the longest line of the text
 */
export function paragraphOfText(lines: readonly string[], width: number): Block {
  const trimmed = lines.map((line) => line.trim())
  let markdown = ''
  for (const [place, line] of trimmed.entries()) {
    const before = trimmed[place - 1]
    if (before !== undefined) markdown += isBroken(before, line, width) ? '  \n' : '\n'
    markdown += escapeText(line)
  }
  return { kind: 'paragraph', markdown: escapeLineStart(markdown) }
}
