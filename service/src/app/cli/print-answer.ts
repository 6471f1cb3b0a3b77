import { CommandFailure, EXIT } from './command.ts'
import { createAnswerStream, withoutAddresses } from './answer-stream.ts'
import { createHeldAnswer } from './held-answer.ts'
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
 * The sources under the numbers that were printed, where those are not the answer's own; undefined if two of them would have one number:
 * two places of one passage are one while the answer is streamed. Both texts have the same markers in the same places.
 */
function asPrinted(cited: readonly Citation[], printed: string, answer: string): Citation[] | undefined {
  const shown = markersOf(printed)
  const numberOf = new Map(markersOf(answer).map((number, place) => [number, shown[place] ?? number]))
  const renumbered = cited.map((citation) => ({
    ...citation,
    index: numberOf.get(citation.index) ?? citation.index,
  }))
  const isEachOne = new Set(renumbered.map(({ index }) => index)).size === renumbered.length
  return isEachOne ? renumbered : undefined
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
  const held = createHeldAnswer({ isWhole: columns === undefined })
  const print = (text: string) => {
    const shown = quotes === undefined ? text : quotes.take(text)
    if (!terminal.isJson && shown !== '') terminal.piece(shown)
  }
  const printRest = (answer?: string) => {
    print(held.take(stream.end()))
    const { rest, isChecked } = held.end(answer)
    print(rest)
    const last = quotes?.end() ?? ''
    if (!terminal.isJson && last !== '') terminal.piece(last)
    return isChecked
  }
  for await (const frame of readEvents(response)) {
    if (typeof frame['error'] === 'string') {
      printRest()
      print(streamed === '' ? '' : '\n')
      throw failureOf(frame['error'], frame)
    }
    if (typeof frame['delta'] === 'string') {
      streamed += frame['delta']
      print(held.take(stream.take(frame['delta'])))
    } else if (frame['done'] === false && Array.isArray(frame['citations'])) {
      stream.offer((frame['citations'] as Citation[]).map(({ index }) => index))
    }
    if (frame['done'] === true) last = frame
  }
  if (last === undefined) {
    printRest()
    throw new CommandFailure(EXIT.error, 'The answer ended before it was whole.', { hint: 'ask again' })
  }
  const citations = (last['citations'] ?? []) as Citation[]
  const answer = textOf(last['answer']) ?? streamed
  const isChecked = printRest(withoutAddresses(answer))
  if (terminal.isJson) {
    const { done: _, ...rest } = last
    terminal.json({ ...rest, answer })
  } else {
    printSources(terminal, { answer, printed: isChecked ? answer : stream.numbered(), citations })
  }
  return { answer, citations, isCovered: last['covered'] !== false, threadId: textOf(last['thread_id']) }
}

const failureOf = (error: string, { code, request_id: requestId }: Record<string, unknown>) =>
  new CommandFailure(EXIT.error, error, {
    ...(typeof code === 'string' && { code }),
    ...(typeof requestId === 'string' && { requestId }),
  })

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What comes under a streamed answer: the checked text where it is another, and the numbered sources. */
function printSources(
  terminal: Terminal,
  { answer, printed, citations }: { answer: string; printed: string; citations: Citation[] },
): void {
  terminal.piece('\n')
  const isRenumbered = answer !== printed && unnumbered(answer) === unnumbered(printed)
  const renumbered = isRenumbered ? asPrinted(citations, printed, answer) : undefined
  if (answer !== printed && renumbered === undefined) terminal.result(`\n${withoutAddresses(answer)}`)
  if (citations.length > 0) terminal.result('')
  for (const citation of renumbered ?? citations) {
    const place = oneLine([citation.title, ...citation.heading_path].join(' › '))
    terminal.result(`${terminal.style.accent(`[${citation.index}]`)} ${place}`)
    terminal.result(`    ${terminal.style.dim(readable(citation.url))}`)
  }
}
