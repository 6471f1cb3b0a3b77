/**
 * Maximum markup characters of one paragraph; no text written for readers has more. The Markdown parser compares each with all open ones,
 * so time and memory grow quadratically.
 */
const MAX_MARKS = 1_500

const MARK = /[*_~[\]`!]/g
const ENTITY = /&[#\w]/g
/** Lists nested in lists nested in quotations, deeper than any real document. */
const CONTAINERS = /^[ \t]{0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]{0,6}){60}/
const CONTAINERS_ANYWHERE = /^[ \t]{0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]{0,6}){60}/m
/** What starts a new block even directly below a paragraph. */
const BEGINS_BLOCK = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#|>|\|)/
const FENCE = /^[ \t>]*(?:`{3}|~{3})/

/**
 * Returns Markdown whose hostile paragraphs are put into code fences unchanged: their words are still found, but their markup has no
 * meaning.
 */
export function boundMarkdown(markdown: string): string {
  // True for nearly all documents.
  if (!mayBeHostile(markdown)) return markdown
  const lines: string[] = []
  let run: string[] = []
  let marks = 0
  let isFenced = false
  const endRun = () => {
    if (marks > MAX_MARKS) lines.push(...fenced(run))
    else lines.push(...run)
    run = []
    marks = 0
  }
  for (const line of markdown.split('\n')) {
    const isFence = FENCE.test(line)
    if (isFence) isFenced = !isFenced
    if (isFenced || isFence) {
      endRun()
      lines.push(line)
      continue
    }
    if (line.trim() === '' || BEGINS_BLOCK.test(line)) endRun()
    run.push(line)
    marks += CONTAINERS.test(line) ? MAX_MARKS + 1 : countMarks(line)
  }
  endRun()
  return lines.join('\n')
}

function mayBeHostile(markdown: string): boolean {
  return countMarks(markdown) > MAX_MARKS || CONTAINERS_ANYWHERE.test(markdown)
}

function countMarks(text: string): number {
  return (text.match(MARK)?.length ?? 0) + (text.match(ENTITY)?.length ?? 0)
}

function fenced(run: readonly string[]): string[] {
  const text = run.join('\n')
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return ['', fence, ...run, fence, '']
}
