const WIDTH = 24
/** Interval of lines if a bar cannot be redrawn. */
const PLAIN_SECONDS = 15

export interface ProgressBar {
  show(what: string, done: number, of: number): void
  /** A permanent line. */
  say(line: string): void
}

/** One line that is redrawn on a terminal; occasional lines in a log. */
export function createProgressBar(stream: {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}): ProgressBar {
  let lastPlain = 0
  const clear = () => (stream.isTTY === true ? stream.write('\r\u001B[K') : undefined)
  return {
    show: (what, done, of) => {
      const share = of === 0 ? 1 : done / of
      if (stream.isTTY === true) {
        const filled = Math.round(share * WIDTH)
        const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${of}  ${what}`
        stream.write(`\r\u001B[K${line.slice(0, (stream.columns ?? 80) - 1)}`)
        return
      }
      if (Date.now() - lastPlain < PLAIN_SECONDS * 1_000) return
      lastPlain = Date.now()
      stream.write(`${what}: ${done} of ${of}\n`)
    },
    say: (line) => {
      clear()
      stream.write(`${line}\n`)
    },
  }
}
