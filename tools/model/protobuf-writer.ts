/** The wire format of protobuf, as far as an ONNX file needs it: the fields of a message are written one after the other. */

const VARINT = 0
const BYTES = 2
const FIXED_32 = 5

/** Integers in groups of seven bits, lowest first; negative ones as 64-bit two's complement. */
function varint(value: number | bigint): Uint8Array {
  const groups: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 0x7fn) {
    groups.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  groups.push(Number(rest))
  return Uint8Array.from(groups)
}

const tag = (field: number, wireType: number) => varint(field * 8 + wireType)

export const integerField = (field: number, value: number | bigint): Uint8Array =>
  Buffer.concat([tag(field, VARINT), varint(value)])

export function floatField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, FIXED_32), bytes])
}

export const bytesField = (field: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([tag(field, BYTES), varint(bytes.byteLength), bytes])

export const textField = (field: number, text: string): Uint8Array =>
  bytesField(field, Buffer.from(text, 'utf8'))

/** A nested message: its own fields, prefixed with their length. */
export const messageField = (field: number, fields: readonly Uint8Array[]): Uint8Array =>
  bytesField(field, Buffer.concat(fields))

/** Repeated integers in one field. */
export const integersField = (field: number, values: readonly number[]): Uint8Array =>
  bytesField(field, Buffer.concat(values.map(varint)))
