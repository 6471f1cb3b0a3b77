const encoder = new TextEncoder()

/** Line terminators in JavaScript and in some stream parsers, though not in JSON. */
const ESCAPED: Record<string, string> = { '\u2028': '\\u2028', '\u2029': '\\u2029' }

/** One event: a single `data:` line with the frame's JSON, and the blank line that ends it. There is no event name. */
export function encodeFrame(frame: Record<string, unknown>): Uint8Array {
  const json = JSON.stringify(frame).replaceAll(/[\u2028\u2029]/g, (mark) => ESCAPED[mark] ?? '')
  return encoder.encode(`data: ${json}\n\n`)
}

/** An event that ends a stream with a text that is not JSON, for clients that expect one. */
export const encodeEnding = (data: string): Uint8Array => encoder.encode(`data: ${data}\n\n`)

/** A comment: it keeps the connection open through proxies, and clients do not treat it as a frame. */
export const KEEP_ALIVE = encoder.encode(': keep-alive\n\n')
