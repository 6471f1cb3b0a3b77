import { createInterface } from 'node:readline'
import { oneLine, printable } from './printable.ts'

/** Where a command writes: results to stdout, everything else to stderr, so that a pipe gets results alone. */
export interface Terminal {
  /** One JSON document or line for each result, and nothing else on stdout. */
  isJson: boolean
  /** Whether progress may be redrawn in place. */
  canRedraw: boolean
  result(text: string): void
  /** A result as JSON, keys sorted, one line. */
  json(value: unknown): void
  /** JSON that is no result: a fault of the call, on stderr. */
  jsonNote(value: unknown): void
  /** How many characters a line of a result may have; undefined where it is not read on a terminal. */
  columns: number | undefined
  /** Asks the person, and waits for a line; undefined where nobody sits there. */
  ask(question: string): Promise<string | undefined>
  /** A piece of a streamed result, without a line end. */
  piece(text: string): void
  note(text: string): void
  /** Redraws one line of progress; the same as `note` every ten seconds where it cannot be redrawn. */
  progress(text: string): void
  /** Leaves the last line of progress standing. */
  endProgress(): void
  style: {
    bold(text: string): string
    dim(text: string): string
    accent(text: string): string
    fault(text: string): string
  }
}

export interface TerminalStreams {
  stdout: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  stdin?: NodeJS.ReadableStream & { isTTY?: boolean }
}

/** Between two plain lines of progress where a bar cannot be drawn (a log file, CI). */
const PLAIN_PROGRESS_SECONDS = 10

export function createTerminal(
  { stdout, stderr, stdin }: TerminalStreams,
  wish: { isJson: boolean; hasColor: boolean; isCi: boolean; isDumb: boolean },
): Terminal {
  const canRedraw = stderr.isTTY === true && !wish.isCi && !wish.isDumb && !wish.isJson
  const hasColor = wish.hasColor && !wish.isDumb && stdout.isTTY === true
  const style = (code: string) => (text: string) => (hasColor ? `\u001B[${code}m${text}\u001B[0m` : text)
  const shown = (text: string) => printable(text, hasColor)
  let isDrawing = false
  let lastPlain = 0

  const clear = () => {
    if (isDrawing) stderr.write('\r\u001B[K')
    isDrawing = false
  }
  const note = (text: string) => {
    clear()
    stderr.write(`${shown(text)}\n`)
  }
  return {
    isJson: wish.isJson,
    canRedraw,
    result: (text) => {
      clear()
      stdout.write(`${shown(text)}\n`)
    },
    json: (value) => stdout.write(`${printable(JSON.stringify(sortKeys(value)))}\n`),
    jsonNote: (value) => stderr.write(`${printable(JSON.stringify(sortKeys(value)))}\n`),
    columns: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined,
    ask: async (question) => {
      if (stdin?.isTTY !== true || stderr.isTTY !== true || wish.isJson) return undefined
      clear()
      stderr.write(shown(question))
      const reader = createInterface({ input: stdin })
      try {
        for await (const line of reader) return line
        return ''
      } finally {
        reader.close()
      }
    },
    piece: (text) => {
      clear()
      stdout.write(shown(text))
    },
    note,
    progress: (text) => {
      if (canRedraw) {
        stderr.write(`\r\u001B[K${oneLine(text).slice(0, (stderr.columns ?? 80) - 1)}`)
        isDrawing = true
        return
      }
      if (Date.now() - lastPlain < PLAIN_PROGRESS_SECONDS * 1_000) return
      lastPlain = Date.now()
      if (!wish.isJson) note(text)
    },
    endProgress: () => {
      if (isDrawing) stderr.write('\n')
      isDrawing = false
    },
    style: { bold: style('1'), dim: style('2'), accent: style('36'), fault: style('31') },
  }
}

/** The same value with the keys of every object in order, so that two runs can be compared. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

/** `██████░░░░` of the given width. `share` is 0 to 1. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
