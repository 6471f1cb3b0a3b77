/** Text as it is, in HTML and in its attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** @param inner markup; use `escapeHtml` for text */
export function tag(name: string, inner: string, attributes: Record<string, string> = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${written.join('')}>${inner}</${name}>`
}

/** A link, or its words alone if it does not lead to the web. */
export function linkHtml(address: string, inner: string): string {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) ? tag('a', inner, { href: url.href }) : inner
}

/** A block of code. @param language is left out if it is not a word */
export function codeHtml(code: string, language = ''): string {
  const known = /^[\w+#.-]{1,40}$/.test(language) ? { class: `language-${language}` } : {}
  // The first line break of a `pre` is not part of it.
  return tag('pre', `\n${tag('code', escapeHtml(code), known)}`)
}
