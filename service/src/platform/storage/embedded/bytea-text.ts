const PREFIX = '\\x'

/** The bytes of PostgreSQL's text form, `\x0aff…`. */
export function bytesOfText(text: string): Uint8Array {
  // A buffer with its own memory: a view of the shared pool would transfer the whole pool to another thread.
  const bytes = Buffer.allocUnsafeSlow((text.length - PREFIX.length) / 2)
  bytes.write(text.slice(PREFIX.length), 'hex')
  return bytes
}

/** The text form of bytes, as a parameter of a statement. */
export function textOfBytes(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
