/**
 * Marks of one paragraph beyond which nobody wrote them for readers. The parser compares each with all that are open: time
 * and memory grow with their square.
 */
const MOST_MARKS = 1_500

const MARK = /[*_~[\]`!]/g
const ENTITY = /&[#\w]/g
/** Lists within lists within quotations: nobody writes them as deep. */
const CONTAINERS = /^[ \t]{0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]{0,6}){60}/
const CONTAINERS_ANYWHERE = /^[ \t]{0,3}(?:(?:[-*+>]|\d{1,9}[.)])[ \t]{0,6}){60}/m
/** What begins a block of its own even right below a paragraph. */
const BEGINS_BLOCK = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#|>|\|)/
const FENCE = /^[ \t>]*(?:`{3}|~{3})/

/** Markdown whose hostile paragraphs stand as they are, in fences: their words are found, their marks mean nothing. */
export function boundMarkdown(markdown: string): string {
  // Nearly all documents: nothing to be done.
  if (!mayBeHostile(markdown)) return markdown
  const lines: string[] = []
  let run: string[] = []
  let marks = 0
  let isFenced = false
  const endRun = () => {
    if (marks > MOST_MARKS) lines.push(...fenced(run))
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
    marks += CONTAINERS.test(line) ? MOST_MARKS + 1 : countMarks(line)
  }
  endRun()
  return lines.join('\n')
}

function mayBeHostile(markdown: string): boolean {
  return countMarks(markdown) > MOST_MARKS || CONTAINERS_ANYWHERE.test(markdown)
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
