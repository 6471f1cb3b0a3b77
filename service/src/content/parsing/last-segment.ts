/** The last segment of an address in readable form: the title of a document that has none. */
export function lastSegment(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const path = parsed?.pathname ?? url
  const segment = path.split('/').findLast((part) => part !== '') ?? ''
  const readable = decode(segment).replace(/\.\w{1,5}$/, '')
  return readable || parsed?.host || url || 'Untitled'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
