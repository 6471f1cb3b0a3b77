/**
 * Makes the end of a text that is still being written fit to be shown: a marker that was opened is closed, half a link shows its
 * words only, half a citation and the head of a table wait. So nothing flickers, and no half address becomes a link.
 */
export function mendTail(written: string): string {
  // The head of a table, until the line below it is complete.
  const text = written.replace(/(?<=^|\n\n)\|[^\n]*(?:\n[|:\- ]*)?$/, '')
  const at = text.lastIndexOf('\n') + 1
  const line = text.slice(at)
  if (line.length > 2_000) return text
  return text.slice(0, at) + mendLine(line)
}

const countOf = (text: string, marker: string) => text.split(marker).length - 1

function mendLine(line: string): string {
  if (countOf(line.replaceAll('``', ''), '`') % 2 === 1) return `${line}\``
  const mended = line
    // Half a link, or half an image.
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}$/, '$1')
    // Half a citation, or the opening of a link.
    .replace(/!?\[(?:\d{0,3}|\^?)$/, '')
    // A bare address that may still grow.
    .replace(/(?<![(<"'\w])https?:\/\/[^\s<>]{0,500}$/, '')
    // A marker that has nothing behind it yet.
    .replace(/(?<=^|\s)[*_~]{1,3}$/, '')
  const bold = countOf(mended, '**') % 2 === 1
  return bold ? `${mended.replace(/\*\*$/, '').trimEnd()}${mended.endsWith('**') ? '' : '**'}` : mended
}
