/** The beginning of a text, which ends with a whole word and says that there is more. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  const space = cut.lastIndexOf(' ')
  // One long word, as of a language without spaces, is cut where it is.
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
