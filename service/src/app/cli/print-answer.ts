import { CommandFailure, EXIT } from './command.ts'
import { readEvents } from './read-events.ts'
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

/** The address as a person reads it: without the text fragment that a browser scrolls by. */
const readable = (url: string) => url.replace(/(#?):~:.*$/, '')

/**
 * Prints an answer as it is written, then its numbered sources. With `--json`, prints one document when it is done.
 * A failed answer is a `CommandFailure`.
 */
export async function printAnswer(terminal: Terminal, response: Response): Promise<PrintedAnswer> {
  const { style } = terminal
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
      if (!terminal.isJson) terminal.piece(frame['delta'])
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
    terminal.piece('\n')
    if (answer !== streamed) terminal.result(`\n${answer}`)
    if (citations.length > 0) terminal.result('')
    for (const citation of citations) {
      const place = [citation.title, ...citation.heading_path].join(' › ')
      terminal.result(
        `${style.accent(`[${citation.index}]`)} ${place}\n    ${style.dim(readable(citation.url))}`,
      )
    }
  }
  return {
    answer,
    citations,
    isCovered: last['covered'] !== false,
    threadId: typeof last['thread_id'] === 'string' ? last['thread_id'] : undefined,
  }
}
