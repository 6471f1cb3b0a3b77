/** Names that reStructuredText defines in one place and uses in another. */
export interface RstNames {
  /** Addresses of hyperlink targets by their (plain) name. */
  targets: Map<string, string>
  /** Addresses of anonymous targets (`__ https://…`), in order of use. */
  anonymous: string[]
  /** Replacements of `|name|`. */
  substitutions: Map<string, string>
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export function plainName(name: string): string {
  return name.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** The id that Docutils gives a title. @example idOf('4.1 What is new?') // 'what-is-new' */
export function rstId(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-$/g, '')
}

/** Maximum length of a line that is searched for names. */
const MAX_LINE_LENGTH = 1_000

/** Collects targets and substitutions of a whole document. */
export function collectNames(lines: readonly string[]): RstNames {
  const names: RstNames = { targets: new Map(), anonymous: [], substitutions: new Map() }
  for (const [index, line] of lines.entries()) {
    if (line.length > MAX_LINE_LENGTH) continue
    // bounded: at most 1,000 characters
    const target = /^\s*\.\. _(`[^`]+`|(?:[^:\\]|\\.|:(?!\s|$))+):\s+(\S.*)$/.exec(line)
    if (target !== null)
      names.targets.set(plainName(target[1] ?? ''), joinAddress(target[2] ?? '', lines, index))
    const anonymous = /^\s*(?:__|\.\. __:)\s+(\S+)\s*$/.exec(line)?.[1]
    if (anonymous !== undefined) names.anonymous.push(anonymous)
    // bounded: at most 1,000 characters
    const substitution = /^\s*\.\. \|([^|]+)\|\s+(?:replace|unicode)::\s*(.*)$/.exec(line)
    if (substitution !== null)
      names.substitutions.set(plainName(substitution[1] ?? ''), substitution[2] ?? '')
    // bounded: at most 1,000 characters
    for (const embedded of line.matchAll(/`([^`<]+?)\s*<([^>`]+)>`_(?!_)/g)) {
      names.targets.set(plainName(embedded[1] ?? ''), embedded[2] ?? '')
    }
  }
  return names
}

/** A long address may continue on the next, indented line. */
function joinAddress(start: string, lines: readonly string[], index: number): string {
  const next = lines[index + 1] ?? ''
  return /^\s{3,}[^\s:.]\S*$/.test(next) && /[/&?=_-]$/.test(start.trim())
    ? start.trim() + next.trim()
    : start.trim()
}
