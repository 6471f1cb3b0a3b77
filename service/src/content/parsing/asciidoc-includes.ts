/** A line that includes a file, as Asciidoctor reads it; a backslash in front keeps it as text. */
const isInclude = (line: string): boolean => /^include::[^\s[]/.test(line) && line.trimEnd().endsWith(']')

/** AsciiDoc without its includes of other files: where they are not expanded, only their paths would be seen. */
export function withoutUnreadIncludes(text: string): string {
  return text
    .split('\n')
    .map((line) => (isInclude(line) ? '' : line))
    .join('\n')
}
