/** Characters of a mail that are read. */
const MAX_LENGTH = 200_000
/** Elements whose content is no text. */
const HIDDEN = new Set(['script', 'style', 'head', 'title'])
/** Elements that begin a line. */
const BREAKS = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'hr'])
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const MAX_CODE_POINT = 0x10_ffff

function decoded(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
    const lower = name.toLowerCase()
    if (!lower.startsWith('#')) return NAMED[lower] ?? whole
    const code = lower.startsWith('#x') ? Number.parseInt(lower.slice(2), 16) : Number(lower.slice(1))
    return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : ''
  })
}

/** The words of a mail that is HTML only, in one pass over it; quoted mail begins each line with `>`, as in plain text. */
export function textOfHtml(given: string): string {
  const html = given.slice(0, MAX_LENGTH)
  // Letters of ASCII only: others may become longer, and places in the two texts must be the same.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let text = ''
  let quotes = 0
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? -1 : html.indexOf('>', open)
    text += decoded(html.slice(at, end === -1 ? html.length : open).replaceAll(/\s+/g, ' '))
    if (end === -1) break
    const [, closes = '', name = ''] = /^<(\/?)([a-z][a-z0-9]{0,20})/.exec(lower.slice(open, open + 30)) ?? []
    at = end + 1
    if (name === 'blockquote') quotes = Math.max(0, quotes + (closes === '' ? 1 : -1))
    if (BREAKS.has(name)) text += quotes > 0 ? '\n> ' : '\n'
    if (closes === '' && HIDDEN.has(name)) {
      const over = lower.indexOf(`</${name}`, at)
      at = over === -1 ? html.length : over
    }
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}
