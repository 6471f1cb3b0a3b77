/** Lines of a text, trimmed, without the empty ones, as one. */
export function joinLines(text: string, between: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(between)
}
