import { isOn, type SaidOptions } from './given-options.ts'

/** What a page may set. A list means one of these words, the first by default. */
const OPTIONS = {
  productName: '',
  hideBranding: false,
  mcpEnabled: true,
  sourceGroupIds: '',
  widgetId: '',
  mode: ['modal', 'sidebar', 'bubble', 'embedded', 'none'],
  position: ['end', 'start'],
  accent: '',
  radius: '',
  font: ['system', 'inherit'],
  offset: '',
  zIndex: '',
  logo: '',
  defaultTab: ['ask', 'search'],
  search: true,
  shortcut: 'mod+k',
  selection: false,
  remember: ['session', 'none', 'local'],
  openLinks: ['new', 'same'],
  language: '',
  placeholder: '',
  disclaimer: '',
  privacyUrl: '',
  supportUrl: '',
  supportEmail: '',
  userId: '',
  userEmail: '',
} as const

type OptionName = keyof typeof OPTIONS

type ValueOf<Default> = Default extends readonly (infer Word)[]
  ? Word
  : Default extends boolean
    ? boolean
    : string

/** The settings that the panel uses, complete. An empty text means "not set". */
export type WidgetOptions = { -readonly [Name in OptionName]: ValueOf<(typeof OPTIONS)[Name]> }

/** `accent_color` is the word of widgets that were saved before the others had names. */
const ALIASES: Partial<Record<OptionName, string>> = { accent: 'accentColor' }

/** Longest text of an option. */
const LONGEST = 2_000

function read(name: OptionName, said: string | undefined): unknown {
  const byDefault = OPTIONS[name]
  if (typeof byDefault === 'boolean') return isOn(said, byDefault)
  if (typeof byDefault === 'string') return said?.trim().slice(0, LONGEST) || byDefault
  const words: readonly string[] = byDefault
  if (said === undefined || words.includes(said)) return said ?? words[0]
  console.warn(`Citewell: "${said}" is not a ${name}; it may be ${words.join(', ')}.`)
  return words[0]
}

/** Reads what was said. Unknown words are ignored; a value that is not one of the words becomes the default. */
export function readOptions(said: SaidOptions): WidgetOptions {
  const names = Object.keys(OPTIONS) as OptionName[]
  return Object.fromEntries(
    names.map((name) => [name, read(name, said[name] ?? said[ALIASES[name] ?? ''])]),
  ) as unknown as WidgetOptions
}

/** The source groups that questions and searches are limited to; undefined for all of the key. */
export function groupIdsOf({ sourceGroupIds }: WidgetOptions): string[] | undefined {
  const ids = sourceGroupIds.split(',').map((id) => id.trim())
  return ids.some(Boolean) ? ids.filter(Boolean) : undefined
}
