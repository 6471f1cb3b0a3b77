/** How far into a page the encoding may be declared (WHATWG encoding sniffing, "prescan"). */
const PRESCAN_BYTES = 1024

const BYTE_ORDER_MARKS: [label: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
]

/**
 * Decodes bytes as a browser would: by the byte order mark first, then the transport's charset, then the page's own declaration, then
 * UTF-8. Bytes without any of these that are not UTF-8 are read as windows-1252. Never throws.
 */
export function decodeText(bytes: Uint8Array, options: { charset: string | undefined; mayDeclare: boolean }) {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte))
  const label =
    marked?.[0] ??
    knownLabel(options.charset) ??
    (options.mayDeclare ? knownLabel(declaredCharset(bytes)) : undefined)
  if (label !== undefined) return new TextDecoder(label).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // A few broken bytes in a UTF-8 page are likelier than another encoding: count what would be lost.
    const asUtf8 = new TextDecoder('utf-8').decode(bytes)
    const broken = asUtf8.split('\uFFFD').length - 1
    const good = (asUtf8.match(/[\u0080-\uFFFC]/g) ?? []).length
    return good > broken ? asUtf8 : new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The encoding that an HTML page or an XML declaration declares in its first kilobyte. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1')
    .decode(bytes.subarray(0, PRESCAN_BYTES))
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
  const declared =
    // bounded: at most 1,024 bytes
    /<meta\s[^>]*?charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1]
  // A page that could be read this far is not UTF-16, whatever it declares.
  return declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim().replaceAll(/^["']|["']$/g, '')).encoding
  } catch {
    return undefined
  }
}
