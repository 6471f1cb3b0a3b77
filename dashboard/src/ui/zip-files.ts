/** CRC-32 of the polynomial 0xEDB88320, as ZIP files have it. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1
  return rest
})

function checksum(bytes: Uint8Array): number {
  let sum = 0xff_ff_ff_ff
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xff_ff_ff_ff) >>> 0
}

/** Little-endian numbers of 2 or 4 bytes. */
function numbers(...parts: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(parts.reduce((sum, [, bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [value, bytes] of parts) {
    if (bytes === 2) out.setUint16(at, value, true)
    else out.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(out.buffer)
}

/** Names are UTF-8. */
const FLAGS = 0x08_00
/** 1 January 1980, the first day that the format knows. */
const DAY = 0x00_21

/** Text files as a ZIP file, not compressed. */
export function zipFiles(files: readonly { path: string; content: string }[]): Blob {
  const encoder = new TextEncoder()
  const bodies: Uint8Array<ArrayBuffer>[] = []
  const entries: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { path, content } of files) {
    const [name, bytes] = [encoder.encode(path), encoder.encode(content)]
    const facts = [
      [20, 2],
      [FLAGS, 2],
      [0, 2],
      [0, 2],
      [DAY, 2],
      [checksum(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const head = numbers([0x04_03_4b_50, 4], ...facts)
    bodies.push(head, name, bytes)
    const rest = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const
    entries.push(numbers([0x02_01_4b_50, 4], [20, 2], ...facts, ...rest), name)
    offset += head.length + name.length + bytes.length
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0)
  const { length: count } = files
  const end = numbers([0x06_05_4b_50, 4], [0, 4], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])
  return new Blob([...bodies, ...entries, end], { type: 'application/zip' })
}
