/** Columns before the first letter of a line. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

/** Removes the common indentation of the lines, and blank lines at both ends. */
export function dedent(lines: readonly string[]): string[] {
  const depth = lines.reduce(
    (least, line) => (isBlank(line) ? least : Math.min(least, indentOf(line))),
    1_000,
  )
  const moved = lines.map((line) => line.slice(depth).trimEnd())
  const first = moved.findIndex((line) => line !== '')
  return first < 0 ? [] : moved.slice(first, moved.findLastIndex((line) => line !== '') + 1)
}

/** A block that begins on the current line and continues below, indented. */
export function joined(first: string, rest: readonly string[]): string[] {
  return [first, ...(isBlank(rest[0]) ? [''] : []), ...dedent(rest)]
}

/** Number of lines from `start` that belong to a block indented by at least `depth`; blank lines within it count. */
export function indentedLength(lines: readonly string[], start: number, depth: number): number {
  let end = start
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (isBlank(line)) continue
    if (indentOf(line) < depth) break
    end = at + 1
  }
  return end - start
}

/** Expands tabs to the next column divisible by eight. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let out = ''
  for (const letter of line) out += letter === '\t' ? ' '.repeat(8 - (out.length % 8)) : letter
  return out
}

/** The first line after `at` that passes the test, or the end. */
export function nextLine(lines: readonly string[], at: number, test: (line: string) => boolean): number {
  let next = at + 1
  while (next < lines.length && !test(lines[next] ?? '')) next += 1
  return next
}
