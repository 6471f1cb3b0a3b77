/** One column of a result. */
export interface Column {
  name: string
  /** OID of its type. */
  type: number
}

/** An error of PostgreSQL: its fields by their letters (https://www.postgresql.org/docs/current/protocol-error-fields.html). */
export type ErrorFields = ReadonlyMap<string, string>

/** What the engine answered to the messages of one statement. */
export interface BackendAnswer {
  /** Types of the parameters, if they were asked for. */
  parameterTypes: readonly number[] | undefined
  columns: readonly Column[]
  /** Where the values of each row are in the bytes: from and to of each column; from is -1 for null. */
  rows: readonly Int32Array[]
  /** For example `UPDATE 3`. */
  command: string
  error: ErrorFields | undefined
}

/** Codes of the messages that are read here; others have nothing for the caller. */
const CODE = {
  parameterDescription: 0x74,
  rowDescription: 0x54,
  dataRow: 0x44,
  commandComplete: 0x43,
  error: 0x45,
} as const

const HEADER_BYTES = 5
/** In the description of a column, after its name: table, column, type, size, modifier, format. */
const BEFORE_TYPE = 6
const AFTER_TYPE = 8

const endOfText = (bytes: Buffer, from: number) => bytes.indexOf(0, from)

function readParameterTypes(bytes: Buffer, from: number): number[] {
  const count = bytes.readUInt16BE(from)
  return Array.from({ length: count }, (_, index) => bytes.readUInt32BE(from + 2 + index * 4))
}

function readColumns(bytes: Buffer, from: number): Column[] {
  let at = from + 2
  return Array.from({ length: bytes.readUInt16BE(from) }, () => {
    const end = endOfText(bytes, at)
    const type = bytes.readUInt32BE(end + 1 + BEFORE_TYPE)
    const name = bytes.toString('utf8', at, end)
    at = end + 1 + BEFORE_TYPE + 4 + AFTER_TYPE
    return { name, type }
  })
}

function readRow(bytes: Buffer, from: number): Int32Array {
  const places = new Int32Array(bytes.readUInt16BE(from) * 2)
  let at = from + 2
  for (let place = 0; place < places.length; place += 2) {
    const length = bytes.readInt32BE(at)
    at += 4
    places[place] = length < 0 ? -1 : at
    at += Math.max(0, length)
    places[place + 1] = at
  }
  return places
}

function readError(bytes: Buffer, from: number): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = from; bytes[at] !== 0;) {
    const end = endOfText(bytes, at + 1)
    fields.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, end))
    at = end + 1
  }
  return fields
}

/** Reads the messages that the engine wrote for one statement (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
export function readBackendMessages(bytes: Buffer): BackendAnswer {
  const answer: BackendAnswer & { rows: Int32Array[] } = {
    parameterTypes: undefined,
    columns: [],
    rows: [],
    command: '',
    error: undefined,
  }
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const body = at + HEADER_BYTES
    switch (bytes[at]) {
      case CODE.dataRow:
        answer.rows.push(readRow(bytes, body))
        break
      case CODE.rowDescription:
        answer.columns = readColumns(bytes, body)
        break
      case CODE.parameterDescription:
        answer.parameterTypes = readParameterTypes(bytes, body)
        break
      case CODE.commandComplete:
        answer.command = bytes.toString('utf8', body, endOfText(bytes, body))
        break
      case CODE.error:
        // The first one is the cause of the others.
        answer.error ??= readError(bytes, body)
        break
      case undefined:
      default:
    }
    // The length in a message includes itself, but not the code.
    at += 1 + bytes.readUInt32BE(at + 1)
  }
  return answer
}
