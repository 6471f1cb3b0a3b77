import { protocol, types, type PGlite } from '@electric-sql/pglite'
import { readBackendMessages, type BackendAnswer, type Column } from './backend-messages.ts'
import { bindMessage, type BoundValue } from './bind-message.ts'

/** What the engine says of a statement before it is run. */
interface Described {
  parameterTypes: readonly number[]
  /** Bytes are asked for as bytes; without any, everything is text. */
  formats: readonly number[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  affectedRows: number
}

const { serialize } = protocol
const MAX_DESCRIBED = 500
/** Longer texts, of inserts with many rows, are described each time rather than remembered. */
const MAX_REMEMBERED_LENGTH = 8_000
const BINARY = 1
const COUNTED = /^(?:INSERT|UPDATE|DELETE|MERGE|COPY) (?:\d+ )?(\d+)$/
/** Statements and command tags after which columns may have other types. */
export const CHANGES_SCHEMA = /\b(?:create|alter|drop)\b/i

/** A statement of the caller failed. Fields like those of the `pg` package. */
class StatementError extends Error {
  readonly code: string | undefined
  readonly constraint: string | undefined
  readonly detail: string | undefined

  constructor(fields: NonNullable<BackendAnswer['error']>) {
    super(fields.get('M'))
    this.code = fields.get('C')
    this.constraint = fields.get('n')
    this.detail = fields.get('D')
  }
}

const isBytes = (type: number) => type === types.BYTEA

function describe(parameterTypes: readonly number[] | undefined, columns: readonly Column[]): Described {
  const formats = columns.map(({ type }) => (isBytes(type) ? BINARY : 0))
  return { parameterTypes: parameterTypes ?? [], formats: formats.includes(BINARY) ? formats : [] }
}

/**
 * Runs statements with one call into the engine each. PGlite's own `query` makes six: parse, describe, bind, describe, execute and sync.
 * Only the first time that a text is run, its parameters are described by a call of their own.
 *
 * The statement is parsed and planned each time: a plan that is kept would be that for a table as it was when it was small, since nothing
 * analyses tables regularly here.
 */
export function createStatementRunner(engine: PGlite) {
  const known = new Map<string, Described>()

  /** Sends messages and reads the answer. One statement at a time: the caller's business. */
  async function call(...messages: readonly Uint8Array[]): Promise<{ answer: BackendAnswer; bytes: Buffer }> {
    const parts: Buffer[] = []
    await engine.execProtocolRawStream(Buffer.concat(messages), {
      syncToFs: false,
      // Views of the engine's memory.
      onRawData: (part) => void parts.push(Buffer.from(part)),
    })
    const bytes = Buffer.concat(parts)
    const answer = readBackendMessages(bytes)
    if (answer.error !== undefined) throw new StatementError(answer.error)
    return { answer, bytes }
  }

  async function describeFirst(text: string): Promise<Described> {
    const found = known.get(text)
    if (found !== undefined) return found
    const { answer } = await call(
      serialize.parse({ text }),
      serialize.describe({ type: 'S' }),
      serialize.sync(),
    )
    const described = describe(answer.parameterTypes, answer.columns)
    if (text.length > MAX_REMEMBERED_LENGTH) return described
    if (known.size >= MAX_DESCRIBED) known.clear()
    known.set(text, described)
    return described
  }

  function boundValue(value: unknown, type: number | undefined): BoundValue {
    if (value === null || value === undefined) return null
    // Bytes are given in the binary form of the parameter's type, as the `pg` package sends them.
    if (value instanceof Uint8Array) return value
    const write = type === undefined ? undefined : engine.serializers[type]
    if (write !== undefined) return write(value)
    return typeof value === 'string' ? value : (value as { toString(): string }).toString()
  }

  function rowsOf({ columns, rows }: BackendAnswer, bytes: Buffer): Record<string, unknown>[] {
    const readers = columns.map(({ name, type }) => ({
      name,
      type,
      read: isBytes(type) ? undefined : engine.parsers[type],
    }))
    return rows.map((places) => {
      const row: Record<string, unknown> = {}
      for (const [index, { name, type, read }] of readers.entries()) {
        const from = places[index * 2] ?? -1
        const to = places[index * 2 + 1]
        if (from < 0) row[name] = null
        // A copy with its own memory: a view would take the whole answer to the other thread.
        else if (isBytes(type)) row[name] = Uint8Array.prototype.slice.call(bytes, from, to)
        else {
          const value = bytes.toString('utf8', from, to)
          row[name] = read === undefined ? value : read(value, type)
        }
      }
      return row
    })
  }

  async function run(text: string, values: readonly unknown[], begin?: string): Promise<StatementResult> {
    const { parameterTypes, formats } = await describeFirst(text)
    const bound = values.map((value, index) => boundValue(value, parameterTypes[index]))
    const before =
      begin === undefined ? [] : [serialize.parse({ text: begin }), bindMessage([], []), serialize.execute()]
    const { answer, bytes } = await call(
      ...before,
      serialize.parse({ text }),
      bindMessage(bound, formats),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
      serialize.sync(),
    )
    // Columns may have other types from here on.
    if (CHANGES_SCHEMA.test(answer.command)) known.clear()
    return { rows: rowsOf(answer, bytes), affectedRows: Number(COUNTED.exec(answer.command)?.[1] ?? 0) }
  }

  return {
    run,
    /** Call it before statements that may change the schema are run otherwise. */
    forget: () => known.clear(),
  }
}
