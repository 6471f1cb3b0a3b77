/** A text with the words of a query marked in it. */
export function MarkedWords({ text, query }: { text: string; query: string }) {
  const words = query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .slice(0, 12)
  if (words.length === 0) return <>{text}</>
  // The words have letters and digits only.
  const pieces = text.split(new RegExp(`(${words.join('|')})`, 'giu'))
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <b key={at}>{piece}</b> : piece))}</>
}
