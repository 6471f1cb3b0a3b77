import { escapeHtml, plainName, type RstNames } from './rst-text.ts'

const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[\s\S])`,
    '``(?<literal>[^`](?:[^`]|`(?!`))*?|`)``',
    String.raw`:(?<role>[\w.+-]{1,60}(?::[\w.+-]{1,60}){0,4}):` + '`(?<roleText>[^`]+)`',
    '`(?<roleText2>[^`]+)`' + String.raw`:(?<role2>[a-z][\w:-]*):`,
    '`(?<phrase>[^`]+)`(?<mark>__?)?',
    String.raw`\*\*(?<strong>\S(?:[^*]|\*(?!\*))*?)\*\*`,
    String.raw`(?<![\w*])\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*(?!\w)`,
    String.raw`\|(?<substitution>[^\s|](?:[^|\n]*[^\s|])?)\|_{0,2}`,
    String.raw`\[(?<note>#?[\w.*-]*)\]_(?!\w)`,
    String.raw`(?<url>\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?')\]}])`,
    String.raw`(?<![\w])(?<word>[A-Za-z][\w.-]{0,100}[A-Za-z0-9]|[A-Za-z])_(?<wordMark>_)?(?!\w)`,
  ].join('|'),
  'g',
)

/** Converts text with reStructuredText's inline markup to HTML. */
export function inlineHtml(text: string, names: RstNames): string {
  let html = ''
  let read = 0
  for (const found of text.matchAll(INLINE)) {
    html += proseHtml(text.slice(read, found.index)) + markupHtml(found[0], found.groups ?? {}, names)
    read = found.index + found[0].length
  }
  return html + proseHtml(text.slice(read))
}

/** Converts dashes to typographic ones. */
function proseHtml(text: string): string {
  return escapeHtml(
    text.includes('--')
      ? text.replaceAll(/(?<=\s|^)---(?=\s|$)/g, '—').replaceAll(/(?<=\s)--(?=\s)/g, '–')
      : text,
  )
}

function markupHtml(whole: string, found: Record<string, string | undefined>, names: RstNames): string {
  if (found['escaped'] !== undefined) return /\s/.test(found['escaped']) ? '' : escapeHtml(found['escaped'])
  if (found['literal'] !== undefined) return `<code>${escapeHtml(found['literal'])}</code>`
  if (found['roleText'] !== undefined) return roleHtml(found['role'] ?? '', found['roleText'])
  if (found['roleText2'] !== undefined) return roleHtml(found['role2'] ?? '', found['roleText2'])
  if (found['phrase'] !== undefined) return phraseHtml(found['phrase'], found['mark'], names)
  if (found['strong'] !== undefined) return `<strong>${inlineHtml(found['strong'], names)}</strong>`
  if (found['emphasis'] !== undefined) return `<em>${inlineHtml(found['emphasis'], names)}</em>`
  if (found['substitution'] !== undefined) return substitutionHtml(whole, found['substitution'], names)
  if (found['note'] !== undefined)
    return found['note'] === '#' ? '' : `[${escapeHtml(found['note'].replace('#', ''))}]`
  if (found['url'] !== undefined) return link(found['url'], escapeHtml(found['url']))
  if (found['word'] !== undefined) return wordHtml(whole, found['word'], found['wordMark'], names)
  return escapeHtml(whole)
}

function link(address: string, html: string): string {
  return `<a href="${escapeHtml(address)}">${html}</a>`
}

/** `text <address>`_, `name`_ or, without an underscore, the document's default role. */
function phraseHtml(phrase: string, mark: string | undefined, names: RstNames): string {
  if (mark === undefined) return `<em>${escapeHtml(shownText(phrase))}</em>`
  const { text, address } = embeddedAddress(phrase)
  const shown = escapeHtml((text || address || '').replaceAll(/\\(.)/g, '$1'))
  const named = address?.replace(/_$/, '')
  const target = mark === '__' && address === undefined ? names.anonymous.shift() : undefined
  const found = target ?? names.targets.get(plainName(named ?? text)) ?? address
  return found === undefined ? shown : link(found.replaceAll(/\s+/g, ''), shown)
}

/** Parses `text <address>`; without an address all of it is text. */
function embeddedAddress(phrase: string): { text: string; address: string | undefined } {
  const open = phrase.endsWith('>') ? phrase.indexOf('<', phrase.lastIndexOf('>', phrase.length - 2) + 1) : -1
  const address = open < 0 ? '' : phrase.slice(open + 1, -1)
  return address === ''
    ? { text: phrase, address: undefined }
    : { text: phrase.slice(0, open).trimEnd(), address }
}

function wordHtml(whole: string, word: string, mark: string | undefined, names: RstNames): string {
  const target = mark === undefined ? names.targets.get(plainName(word)) : names.anonymous.shift()
  return target === undefined ? escapeHtml(whole) : link(target, escapeHtml(word))
}

function substitutionHtml(whole: string, name: string, names: RstNames): string {
  const text = names.substitutions.get(plainName(name))
  // A substitution may refer to another, but not to itself.
  return text === undefined || text.includes(`|${name}|`) ? escapeHtml(whole) : inlineHtml(text, names)
}

/** Roles whose text is prose; all others name something in code. */
const PROSE_ROLES = new Set(
  (
    'ref doc term numref any abbr guilabel menuselection download index title title-reference emphasis strong sup sub ' +
    'superscript subscript dfn eq issue gh pr user commit source pep rfc cve cwe ghsa bpo gh-issue sub-ref keyword-ref'
  ).split(' '),
)

function roleHtml(role: string, text: string): string {
  const name = role.split(':').at(-1) ?? role
  const shown = shownText(text)
  if (name === 'math') return `$${escapeHtml(text)}$`
  if (name === 'pep')
    return link(`https://peps.python.org/pep-${shown.padStart(4, '0')}/`, `PEP ${escapeHtml(shown)}`)
  if (name === 'rfc')
    return link(`https://datatracker.ietf.org/doc/html/rfc${shown}`, `RFC ${escapeHtml(shown)}`)
  if (name === 'strong') return `<strong>${escapeHtml(shown)}</strong>`
  if (name === 'emphasis') return `<em>${escapeHtml(shown)}</em>`
  if (PROSE_ROLES.has(name)) return escapeHtml(isLabel(name, text) ? shown.replaceAll(/[-_]/g, ' ') : shown)
  const isCalled =
    ['func', 'meth', 'function', 'method'].includes(name) && /^[\w.]+$/.test(shown) && !text.includes('<')
  return `<code>${escapeHtml(isCalled ? `${shown}()` : shown)}</code>`
}

/** `:ref:` without its own text shows a label; the words of the label are the closest available to a title. */
function isLabel(role: string, text: string): boolean {
  return role === 'ref' && !text.includes('<')
}

/** `title <target>` shows its title, `~a.b.c` its last part, `!x` no link. */
function shownText(text: string): string {
  const { text: titled, address } = embeddedAddress(text)
  if (address !== undefined && titled !== '') return titled.replaceAll(/\s+/g, ' ').replaceAll(/\\(.)/g, '$1')
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(/\\(.)/g, '$1')
  if (plain.startsWith('~')) return plain.slice(1).split('.').at(-1) ?? plain
  return plain.replace(/^[!.]/, '')
}
