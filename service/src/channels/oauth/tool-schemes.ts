/**
 * Redirect schemes of known tools, which are programs on the user's own machine. Any other scheme may open a browser with an attacker's
 * address, or make a program run something: it is accepted only in the form of RFC 8252, 7.1.
 */
const KNOWN_TOOLS = new Set(
  `antigravity claude code-oss codex cursor cursor-nightly goose kiro lmstudio positron raycast theiaide trae void vscode vscode-insiders
  vscodium warp windsurf windsurf-next zed`.split(/\s+/),
)

/** RFC 8252, 7.1: a reversed domain name of the tool's maker. */
const REVERSED_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/

/** Name parts of programs that open addresses: browsers, and programs that run what they are given. */
const OPENERS =
  /(?:^|[.-])(?:brave|browser|chrome|chromium|duckduckgo|edge|fenix|firefox|focus|google|intent|mobilesafari|opera|safari|samsung|sbrowser|shortcuts|ucbrowser|vivaldi|webkit|workflow|yandex)(?:$|[.-])|^(?:ms|microsoft|android|apple|x)-/

/** An address nested in an address, after percent-decoding. */
const NESTED = /(?:https?|ftp|file|data|javascript|blob|intent|view-source)\s*:|[\\\s]|\/\//i

/** Maximum levels of nested percent-encoding. */
const MAX_ESCAPES = 8

function decodeFully(text: string): string | undefined {
  let plain = text
  for (let round = 0; round < MAX_ESCAPES; round += 1) {
    const before = plain
    try {
      plain = decodeURIComponent(before)
    } catch {
      return undefined
    }
    if (plain === before) return plain
  }
  return undefined
}

/**
 * Whether a scheme belongs to a tool, and does not open a website.
 *
 * @param protocol with its colon, as in `URL.protocol`
 * @param alsoKnown schemes that the operator configured, without a colon
 * @example
 * isToolScheme('cursor:', []) // true
 * isToolScheme('microsoft-edge:', []) // false
 */
export function isToolScheme(protocol: string, alsoKnown: readonly string[]): boolean {
  const scheme = protocol.slice(0, -1).toLowerCase()
  if (!protocol.endsWith(':')) return false
  if (KNOWN_TOOLS.has(scheme) || alsoKnown.includes(scheme)) return true
  return REVERSED_DOMAIN.test(scheme) && !OPENERS.test(scheme)
}

/** Whether an address leads to a tool by its own scheme, and contains no other address. */
export function isToolAddress(redirect: URL, alsoKnown: readonly string[]): boolean {
  if (!isToolScheme(redirect.protocol, alsoKnown)) return false
  const rest = decodeFully(redirect.href.slice(redirect.protocol.length).replace(/^\/\//, ''))
  return rest !== undefined && !NESTED.test(rest)
}
