import { yieldToEventLoop } from './yield-to-event-loop.ts'

const BREAK = 0x0a
const FROM = Buffer.from('From ')

/** Whether a message begins here: a line `From someone …` with the time, as mbox has it, and not a sentence that begins so. */
export function beginsMessage(bytes: Buffer, at: number): boolean {
  if (at + FROM.length > bytes.length) return false
  if (bytes.compare(FROM, 0, FROM.length, at, at + FROM.length) !== 0) return false
  const end = bytes.indexOf(BREAK, at)
  const line = bytes.subarray(at, Math.min(end === -1 ? bytes.length : end, at + 300)).toString('latin1')
  // bounded: at most 300 characters
  return /\d{1,2}:\d{2}(?::\d{2})? .{0,20}\d{4}/.test(line)
}

/** Lines that were quoted so that they begin no message. */
function unquoted(message: Buffer): Buffer {
  if (!message.includes('\n>From ')) return message
  const text = message.toString('latin1').replaceAll(/\n>(>{0,20}From )/g, '\n$1')
  return Buffer.from(text, 'latin1')
}

/**
 * The messages of an mbox file, without the line before each.
 *
 * @param most further ones are left out
 */
export async function splitMbox(bytes: Buffer, most: number): Promise<Buffer[]> {
  const messages: Buffer[] = []
  let start: number | undefined
  for (let at = 0; at !== -1 && at < bytes.length && messages.length < most;) {
    if (beginsMessage(bytes, at)) {
      if (start !== undefined) messages.push(unquoted(bytes.subarray(start, at)))
      const end = bytes.indexOf(BREAK, at)
      start = end === -1 ? bytes.length : end + 1
    }
    await yieldToEventLoop()
    const next = bytes.indexOf('\nFrom ', at)
    at = next === -1 ? -1 : next + 1
  }
  if (start !== undefined && messages.length < most) messages.push(unquoted(bytes.subarray(start)))
  return messages
}
