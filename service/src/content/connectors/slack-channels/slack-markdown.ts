import { escapeMarkdown } from '../rest/api-connector.ts'

/** How people and channels in a text are called. */
export interface SlackNames {
  /** `U012` gives `Author`, or a name. */
  person: (id: string) => string
}

const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const isWeb = (address: string) => /^https?:\/\/[^\s<>]{1,4000}$/.test(address)

/** What is between `<` and `>`: a link, a person, a channel, a group. */
function reference(inner: string, names: SlackNames): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : plain(inner.slice(bar + 1))
  if (target.startsWith('@')) return `@${escapeMarkdown(names.person(target.slice(1)))}`
  if (target.startsWith('#')) return `#${escapeMarkdown(label || 'channel')}`.replace('#', String.raw`\#`)
  if (target.startsWith('!')) return escapeMarkdown(label || `@${target.slice(1).split('^', 1)[0] ?? ''}`)
  const address = plain(target)
  if (!isWeb(address)) return escapeMarkdown(label || address)
  const shown = label === '' || label === address ? address : label
  return `[${escapeMarkdown(shown)}](<${address}>)`
}

const MARKS: Record<string, string> = { '*': '**', _: '*', '~': '~~' }

/** Text outside of code and references: Slack's marks become those of Markdown, all else stays as it is. */
function textOf(text: string): string {
  const marked = text.split(/(?<=^|[\s(])([*_~])(?=\S)([^*_~\n]{1,500})(?<=\S)\1(?=$|[\s).,:;!?])/)
  let written = ''
  for (let at = 0; at < marked.length; at += 3) {
    written += escapeMarkdown(plain(marked[at] ?? ''))
    const [mark, inner] = [marked[at + 1], marked[at + 2]]
    const around = mark === undefined ? undefined : MARKS[mark]
    if (around !== undefined && inner !== undefined)
      written += `${around}${escapeMarkdown(plain(inner))}${around}`
  }
  return written
}

/** A line outside of a block of code. */
function lineOf(line: string, names: SlackNames): string {
  const [, start = '', rest = ''] = /^(\s*(?:&gt;|•|◦|▪️)?\s?)(.*)$/su.exec(line) ?? []
  const begins = start.includes('&gt;') ? '> ' : /[•◦▪]/u.test(start) ? '- ' : ''
  const parts = rest.split(/(`[^`\n]+`|<[^<>\n]{1,5000}>)/)
  const written = parts.map((part, at) => {
    if (at % 2 === 0) return textOf(part)
    return part.startsWith('`') ? plain(part) : reference(part.slice(1, -1), names)
  })
  // A number or a dash at the beginning of a line is no list unless Slack says so: it reads the same either way.
  return `${begins}${written.join('')}`
}

/** Markdown of the text of a message, in Slack's own marks: https://docs.slack.dev/messaging/formatting-message-text */
export function slackMarkdown(text: string, names: SlackNames): string {
  return text
    .split('```')
    .map((part, at) => {
      if (at % 2 === 1) return `\n\n\`\`\`\n${plain(unlinked(part)).replaceAll('```', '').trim()}\n\`\`\`\n\n`
      // Each line stands for itself: two spaces before its end keep it so.
      return part
        .split('\n')
        .map((line) => lineOf(line, names))
        .join('  \n')
    })
    .join('')
    .trim()
}

/** Code has links too, made by Slack of what looks like an address. */
const unlinked = (code: string) => code.replaceAll(/<([^<>|\n]{1,4000})(?:\|[^<>\n]{1,4000})?>/g, '$1')

/** The first words of a text, as a title. */
export function titleOf(text: string, names: SlackNames): string {
  const first = text
    .replaceAll('```', ' ')
    .replaceAll(/<([^<>\n]{1,5000})>/g, (_whole, inner: string) => {
      const [target = '', label] = inner.split('|', 2)
      if (target.startsWith('@')) return `@${names.person(target.slice(1))}`
      return label ?? target
    })
    .split('\n')
    .map((line) =>
      plain(line)
        .replaceAll(/[*_~`]/g, '')
        .trim(),
    )
    .find((line) => line !== '')
  const title = first ?? ''
  return title.length <= 120 ? title : `${title.slice(0, 119)}…`
}
