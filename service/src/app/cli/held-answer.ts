/** Escapes and entities that a reader of Markdown takes away. */
const plain = (line: string) =>
  line
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Names of pages above quotes as they are: who reads a pipe or a terminal sees escapes. */
const withPlainNames = (text: string) =>
  text
    .split('\n')
    .map((line, at, { [at + 1]: after, [at + 2]: quote }) =>
      !line.startsWith('>') && after === '' && quote?.startsWith('>') === true ? plain(line) : line,
    )
    .join('\n')

/** Where the first quote begins, with the line above it; -1 if none does. */
function quoteAt(text: string, isLineStart: boolean): number {
  const at = isLineStart && text.startsWith('>') ? 0 : text.indexOf('\n>') + 1
  if (at === 0 && !(isLineStart && text.startsWith('>'))) return -1
  return text.slice(0, at).trimEnd().lastIndexOf('\n') + 1
}

/**
 * Holds back what is better printed when the answer is whole: its quotes, which are there at once, and all of it in a pipe. Only then it is
 * known which of them are places of their own, with a number each.
 */
export function createHeldAnswer({ isWhole }: { isWhole: boolean }) {
  let isHeld = isWhole
  let printed = ''
  let held = ''
  return {
    /** Takes the next piece, and gives what may be printed now. */
    take(text: string): string {
      const at = isHeld ? 0 : quoteAt(text, printed === '' || printed.endsWith('\n'))
      const now = at < 0 ? text : text.slice(0, at)
      isHeld ||= at >= 0
      held += text.slice(now.length)
      printed += now
      return now
    },
    /**
     * The rest, of the answer as it was checked if it begins with what was printed.
     *
     * @returns whether it is that answer's, too: its numbers are then those of the sources
     */
    end(answer: string | undefined): { rest: string; isChecked: boolean } {
      const isChecked = isHeld && answer?.startsWith(printed) === true
      const rest = isChecked ? (answer ?? '').slice(printed.length) : held
      held = ''
      return { rest: withPlainNames(rest), isChecked }
    },
  }
}
