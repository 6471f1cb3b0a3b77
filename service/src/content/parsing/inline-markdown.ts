/**
 * Writes inline Markdown that reads as its source text and nothing else. Escapes are few on purpose: passages are searched and quoted, and
 * a needless backslash gets in the way.
 */

const NEEDS_ESCAPE = /[\\`*_<\]~]/

/** Plain text as Markdown, for the middle of a line. */
export function escapeText(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, String.raw`\\`)
    .replaceAll('`', '\\`')
    .replaceAll(/\*(?=\S)|(?<=\S)\*/g, String.raw`\*`)
    .replaceAll(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, String.raw`\_`)
    .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`)
    .replaceAll(/\](?=\(|\[|:)/g, String.raw`\]`)
    .replaceAll(/~(?=~)|(?<=~)~/g, String.raw`\~`)
}

/** Escapes the start of a paragraph that would be read as another kind of block. */
export function escapeLineStart(markdown: string): string {
  return markdown.replaceAll(
    /^(?:(#{1,6}|[-+])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|(>|={3,}$|-{3,}$))/gm,
    (...found) => {
      const [whole, mark, digits, stop] = found as string[]
      if (digits !== undefined) return `${digits}\\${stop}`
      return mark === undefined ? `\\${whole}` : `\\${mark}`
    },
  )
}

/** `code` between as many backticks as necessary. Line breaks become spaces. */
export function codeSpan(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ')
  const inner = line.trim()
  if (inner === '') return line === '' ? '' : ' '
  const runs = inner.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1)
  const padding = inner.startsWith('`') || inner.endsWith('`') ? ' ' : ''
  return `${edge(line, 'start')}${fence}${padding}${inner}${padding}${fence}${edge(line, 'end')}`
}

/** Wraps in `*` or `**`; spaces at the edges move outside, as Markdown requires. */
export function emphasised(markdown: string, mark: '*' | '**' | '~~'): string {
  const inner = markdown.trim()
  if (inner === '') return markdown === '' ? '' : ' '
  if (inner.includes('\n\n') || inner.startsWith(mark)) return markdown
  return `${edge(markdown, 'start')}${mark}${inner}${mark}${edge(markdown, 'end')}`
}

export function linkTo(markdown: string, url: string | undefined): string {
  const inner = markdown.trim()
  if (inner === '' || url === undefined) return markdown
  return `${edge(markdown, 'start')}[${inner}](${linkTarget(url)})${edge(markdown, 'end')}`
}

export function image(alt: string, url: string | undefined): string {
  const text = escapeText(alt.replaceAll(/\s+/g, ' ').trim()).replaceAll(/[[\]]/g, '')
  if (text === '') return ''
  return url === undefined ? text : `![${text}](${linkTarget(url)})`
}

function linkTarget(url: string): string {
  return url.replaceAll(
    /[\s()<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function edge(text: string, side: 'start' | 'end'): string {
  return (side === 'start' ? /^\s/ : /\s$/).test(text) ? ' ' : ''
}

/** Single spaces, no spaces around line breaks, and adjacent runs of the same emphasis joined. */
export function tidyInline(markdown: string): string {
  return markdown
    .replaceAll(/[ \t\f\u00A0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/(?<=[^\s*])\*\*\*\*(?=[^\s*])/g, '')
    .trim()
}
