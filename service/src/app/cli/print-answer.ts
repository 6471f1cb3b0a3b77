import { CommandFailure, EXIT } from './command.ts'
import { createAnswerStream, withoutAddresses } from './answer-stream.ts'
import { readEvents } from './read-events.ts'
import { createQuotePrinter } from './quotes-on-terminal.ts'
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

/** The text without its citation numbers: equal for two texts that differ in numbering alone. */
const unnumbered = (text: string) => text.replaceAll(/\[\d+\]/g, '[]')

const markersOf = (text: string) => [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))

/**
 * The sources under the numbers that were printed, where those are not the answer's own: two places of one passage are one number
 * while the answer is streamed. Both texts have the same markers in the same places.
 */
function asPrinted(cited: readonly Citation[], printed: string, answer: string): Citation[] {
  const shown = markersOf(printed)
  const numberOf = new Map(markersOf(answer).map((number, place) => [number, shown[place] ?? number]))
  return cited.map((citation) => ({ ...citation, index: numberOf.get(citation.index) ?? citation.index }))
}

/** The address as a person reads it: without the text fragment that a browser scrolls by. */
const readable = (url: string) => url.replace(/#?:~:[^]*/, '')

/**
 * Prints an answer as it is written, then its numbered sources. With `--json`, prints one document when it is done.
 * A failed answer is a `CommandFailure`.
 */
export async function printAnswer(terminal: Terminal, response: Response): Promise<PrintedAnswer> {
  let streamed = ''
  let last: Record<string, unknown> | undefined
  const stream = createAnswerStream()
  const { columns, style } = terminal
  // A pipe gets the Markdown as it is.
  const quotes = columns === undefined ? undefined : createQuotePrinter({ columns, style })
  const print = (text: string) => {
    const shown = quotes === undefined ? text : quotes.take(text)
    if (!terminal.isJson && shown !== '') terminal.piece(shown)
  }
  const printRest = () => {
    print(stream.end())
    const rest = quotes?.end() ?? ''
    if (!terminal.isJson && rest !== '') terminal.piece(rest)
  }
  for await (const frame of readEvents(response)) {
    if (typeof frame['error'] === 'string') {
      printRest()
      print(streamed === '' ? '' : '\n')
      throw new CommandFailure(EXIT.error, frame['error'], {
        ...(typeof frame['code'] === 'string' && { code: frame['code'] }),
        ...(typeof frame['request_id'] === 'string' && { requestId: frame['request_id'] }),
      })
    }
    if (typeof frame['delta'] === 'string') {
      streamed += frame['delta']
      print(stream.take(frame['delta']))
    } else if (frame['done'] === false && Array.isArray(frame['citations'])) {
      stream.offer((frame['citations'] as Citation[]).map(({ index }) => index))
    }
    if (frame['done'] === true) last = frame
  }
  printRest()
  if (last === undefined)
    throw new CommandFailure(EXIT.error, 'The answer ended before it was whole.', { hint: 'ask again' })
  const citations = (last['citations'] ?? []) as Citation[]
  const answer = textOf(last['answer']) ?? streamed
  if (terminal.isJson) {
    const { done: _, ...rest } = last
    terminal.json({ ...rest, answer })
  } else {
    printSources(terminal, { answer, printed: stream.numbered(), citations })
  }
  return { answer, citations, isCovered: last['covered'] !== false, threadId: textOf(last['thread_id']) }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What comes under a streamed answer: the checked text where it is another, and the numbered sources. */
function printSources(
  terminal: Terminal,
  { answer, printed, citations }: { answer: string; printed: string; citations: Citation[] },
): void {
  terminal.piece('\n')
  const isRenumbered = answer !== printed && unnumbered(answer) === unnumbered(printed)
  if (answer !== printed && !isRenumbered) terminal.result(`\n${withoutAddresses(answer)}`)
  if (citations.length > 0) terminal.result('')
  const shown = new Set<string>()
  for (const citation of isRenumbered ? asPrinted(citations, printed, answer) : citations) {
    // Two places of one passage may stand under one printed number.
    const line = `${citation.index} ${readable(citation.url)}`
    if (shown.has(line)) continue
    shown.add(line)
    const place = oneLine([citation.title, ...citation.heading_path].join(' › '))
    terminal.result(`${terminal.style.accent(`[${citation.index}]`)} ${place}`)
    terminal.result(`    ${terminal.style.dim(readable(citation.url))}`)
  }
}
