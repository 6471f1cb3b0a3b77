/**
 * Schemes that tools wait for an answer at, of programs that run on the person's own machine. Whatever else stands before the colon may
 * open a browser with an address of its own, or ask a program to run something: it is taken only in the form of RFC 8252, 7.1.
 */
const KNOWN_TOOLS = new Set(
  `antigravity claude code-oss codex cursor cursor-nightly goose kiro lmstudio positron raycast theiaide trae void vscode vscode-insiders
  vscodium warp windsurf windsurf-next zed`.split(/\s+/),
)

/** RFC 8252, 7.1: the name of a domain of the tool's maker, turned round. */
const TURNED_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/

/** Parts of names of what opens addresses: browsers, and programs that run what they are given. */
const OPENERS =
  /(?:^|[.-])(?:brave|browser|chrome|chromium|duckduckgo|edge|fenix|firefox|focus|google|intent|mobilesafari|opera|safari|samsung|sbrowser|shortcuts|ucbrowser|vivaldi|webkit|workflow|yandex)(?:$|[.-])|^(?:ms|microsoft|android|apple|x)-/

/** An address within an address, once what is escaped in it is plain. */
const NESTED = /(?:https?|ftp|file|data|javascript|blob|intent|view-source)\s*:|[\\\s]|\/\//i

/** How often something can be escaped within itself before it is taken for a trick. */
const MOST_ESCAPES = 8

function plainly(text: string): string | undefined {
  let plain = text
  for (let round = 0; round < MOST_ESCAPES; round += 1) {
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
 * Whether a scheme is of a tool itself, and of nothing that opens a website.
 *
 * @param protocol with its colon, as addresses have it
 * @param alsoKnown schemes that whoever runs the service has named, without a colon
 * @example
 * isToolScheme('cursor:', []) // true
 * isToolScheme('microsoft-edge:', []) // false
 */
export function isToolScheme(protocol: string, alsoKnown: readonly string[]): boolean {
  const scheme = protocol.slice(0, -1).toLowerCase()
  if (!protocol.endsWith(':')) return false
  if (KNOWN_TOOLS.has(scheme) || alsoKnown.includes(scheme)) return true
  return TURNED_DOMAIN.test(scheme) && !OPENERS.test(scheme)
}

/** Whether an address leads to a tool, by a scheme of its own, and carries no other address within. */
export function isToolAddress(redirect: URL, alsoKnown: readonly string[]): boolean {
  if (!isToolScheme(redirect.protocol, alsoKnown)) return false
  const rest = plainly(redirect.href.slice(redirect.protocol.length).replace(/^\/\//, ''))
  return rest !== undefined && !NESTED.test(rest)
}
