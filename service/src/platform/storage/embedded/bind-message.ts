/** A value of a parameter: text, bytes, or null. */
export type BoundValue = string | Uint8Array | null

const BIND = 0x42
const NO_NAMES = Buffer.alloc(2)

const int16 = (value: number) => Buffer.of((value >> 8) & 255, value & 255)

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

/**
 * The message that binds values to the unnamed statement. PGlite's own writer cannot ask for single columns as bytes.
 *
 * @param formats of the columns of the result: 0 for text, 1 for bytes; empty if all are text
 */
export function bindMessage(values: readonly BoundValue[], formats: readonly number[]): Buffer {
  const parts: Uint8Array[] = [NO_NAMES, int16(values.length)]
  for (const value of values) parts.push(int16(value instanceof Uint8Array ? 1 : 0))
  parts.push(int16(values.length))
  for (const value of values) {
    if (value === null) {
      parts.push(int32(-1))
      continue
    }
    const bytes =
      typeof value === 'string'
        ? Buffer.from(value)
        : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    parts.push(int32(bytes.length), bytes)
  }
  parts.push(int16(formats.length), ...formats.map(int16))
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.of(BIND), int32(length), ...parts])
}
