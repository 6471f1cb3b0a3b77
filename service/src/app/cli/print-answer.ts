import { CommandFailure, EXIT } from './command.ts'
import { readEvents } from './read-events.ts'
import { oneLine } from './printable.ts'
import type { Terminal } from './terminal.ts'

interface Citation {
  index: number
  title: string
  url: string
  heading_path: string[]
}

export interface PrintedAnswer {
  answer: string
  citations: Citation[]
  isCovered: boolean
  threadId: string | undefined
}

/** A link as a person reads it on a terminal: its words, without the address. One that is cut between two pieces stays. */
const withoutAddresses = (text: string) => text.replaceAll(/\[([^\][]*)\]\(<?https?:[^)\s]*\)/g, '$1')

/** The text without its citation numbers: equal for two texts that differ in numbering alone. */
const unnumbered = (text: string) => text.replaceAll(/\[\d+\]/g, '[]')

const markersOf = (text: string) => [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))

/**
 * The sources under the numbers that were printed. The last frame numbers them from 1 in the order of the text; what stands
 * on the screen by then has the numbers of the first frame. Both texts have the same markers in the same places.
 */
function asPrinted(cited: readonly Citation[], streamed: string, answer: string): Citation[] {
  const printed = markersOf(streamed)
  const numberOf = new Map(markersOf(answer).map((number, place) => [number, printed[place] ?? number]))
  return cited.map((citation) => ({ ...citation, index: numberOf.get(citation.index) ?? citation.index }))
}

/** The address as a person reads it: without the text fragment that a browser scrolls by. */
const readable = (url: string) => url.replace(/(#?):~:.*$/, '')

/**
 * Prints an answer as it is written, then its numbered sources. With `--json`, prints one document when it is done.
 * A failed answer is a `CommandFailure`.
 */
export async function printAnswer(terminal: Terminal, response: Response): Promise<PrintedAnswer> {
  let streamed = ''
  let last: Record<string, unknown> | undefined
  for await (const frame of readEvents(response)) {
    if (typeof frame['error'] === 'string') {
      terminal.piece(streamed === '' || terminal.isJson ? '' : '\n')
      throw new CommandFailure(EXIT.error, frame['error'], {
        requestId: typeof frame['request_id'] === 'string' ? frame['request_id'] : '',
      })
    }
    if (typeof frame['delta'] === 'string') {
      streamed += frame['delta']
      if (!terminal.isJson) terminal.piece(withoutAddresses(frame['delta']))
    }
    if (frame['done'] === true) last = frame
  }
  if (last === undefined)
    throw new CommandFailure(EXIT.error, 'The answer ended before it was whole.', { hint: 'ask again' })
  const citations = (last['citations'] ?? []) as Citation[]
  const answer = typeof last['answer'] === 'string' ? last['answer'] : streamed
  if (terminal.isJson) {
    const { done: _, ...rest } = last
    terminal.json({ ...rest, answer })
  } else {
    printSources(terminal, { answer, streamed, citations })
  }
  return {
    answer,
    citations,
    isCovered: last['covered'] !== false,
    threadId: typeof last['thread_id'] === 'string' ? last['thread_id'] : undefined,
  }
}

/** What comes under a streamed answer: the checked text where it is another, and the numbered sources. */
function printSources(
  terminal: Terminal,
  printed: { answer: string; streamed: string; citations: Citation[] },
): void {
  const { answer, streamed, citations } = printed
  terminal.piece('\n')
  const isRenumbered = answer !== streamed && unnumbered(answer) === unnumbered(streamed)
  if (answer !== streamed && !isRenumbered) terminal.result(`\n${withoutAddresses(answer)}`)
  if (citations.length > 0) terminal.result('')
  const shown = new Set<string>()
  for (const citation of isRenumbered ? asPrinted(citations, streamed, answer) : citations) {
    // Two places of one passage may stand under one printed number.
    const line = `${citation.index} ${readable(citation.url)}`
    if (shown.has(line)) continue
    shown.add(line)
    const place = oneLine([citation.title, ...citation.heading_path].join(' › '))
    terminal.result(`${terminal.style.accent(`[${citation.index}]`)} ${place}`)
    terminal.result(`    ${terminal.style.dim(readable(citation.url))}`)
  }
}
