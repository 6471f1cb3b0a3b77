/** Joins the lines of a text, trimmed and without empty ones. */
export function joinLines(text: string, between: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(between)
}
