import { LIMITS } from '@citewell/contract/limits'
import { WIDGET_WORDS } from '@citewell/contract/widget-words'

/** Its name in the saved settings of a widget. A name that they do not have fails `look-values.test.ts`. */
export type LookName =
  | 'mode'
  | 'position'
  | 'theme'
  | 'accent'
  | 'radius'
  | 'font'
  | 'logo'
  | 'launcher'
  | 'launcher_label'
  | 'default_tab'
  | 'search'
  | 'shortcut'
  | 'slash'
  | 'selection'
  | 'language'
  | 'product_name'
  | 'placeholder'
  | 'disclaimer'
  | 'privacy_url'
  | 'support_url'
  | 'support_email'
  | 'consent'
  | 'hide_branding'
  | 'mcp_enabled'
  | 'persona'
  | 'tone'
  | 'standing_instructions'

interface CommonField {
  name: LookName
  label: string
  hint?: string
}

/** A look of the widget, as the form asks for it. */
export type LookField =
  | (CommonField & { kind: 'text'; placeholder?: string; maxLength: number })
  | (CommonField & { kind: 'long'; maxLength: number })
  | (CommonField & { kind: 'switch'; byDefault: boolean })
  /** The first choice is the default. */
  | (CommonField & { kind: 'choice'; choices: readonly (readonly [value: string, label: string])[] })

const words = <Word extends string>(of: readonly Word[], labels: Record<Word, string>) =>
  of.map((word) => [word, labels[word]] as const)

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'ko', 'zh', 'ar', 'he']
const nameOfLanguage = new Intl.DisplayNames('en', { type: 'language' })

/** The looks that the form offers, in parts. Every other one can be saved over the API. */
export const LOOK_PARTS: readonly { title: string; fields: readonly LookField[] }[] = [
  {
    title: 'Looks',
    fields: [
      {
        name: 'mode',
        kind: 'choice',
        label: 'Opens as',
        choices: words(WIDGET_WORDS.mode, {
          modal: 'A dialog over the page',
          sidebar: 'A sidebar',
          bubble: 'A bubble above the button',
          embedded: 'A part of the page',
          none: 'Nothing: your own buttons open it',
        }),
      },
      {
        name: 'theme',
        kind: 'choice',
        label: 'Colours',
        choices: words(WIDGET_WORDS.theme, {
          auto: 'As the system of the reader',
          light: 'Light',
          dark: 'Dark',
          page: 'As the page',
        }),
      },
      {
        name: 'accent',
        kind: 'text',
        label: 'Accent colour',
        placeholder: '#0b6e69',
        maxLength: 200,
        hint: 'Any colour of CSS. It is made darker or lighter where it could not be read.',
      },
      { name: 'radius', kind: 'text', label: 'Radius of corners', placeholder: '12px', maxLength: 20 },
      {
        name: 'font',
        kind: 'choice',
        label: 'Font',
        choices: words(WIDGET_WORDS.font, { system: 'Of the system', inherit: 'Of the page' }),
      },
      {
        name: 'position',
        kind: 'choice',
        label: 'Side',
        choices: words(WIDGET_WORDS.position, { end: 'Right', start: 'Left' }),
      },
      {
        name: 'logo',
        kind: 'text',
        label: 'Logo',
        placeholder: 'https://docs.example.com/logo.svg',
        maxLength: 20_000,
        hint: 'An address, or a path of your site. Shown in the preview once it is saved.',
      },
    ],
  },
  {
    title: 'Words',
    fields: [
      {
        name: 'product_name',
        kind: 'text',
        label: 'Name at the top',
        maxLength: 100,
        hint: 'Empty: the name of the knowledge base.',
      },
      {
        name: 'launcher',
        kind: 'choice',
        label: 'Button',
        choices: words(WIDGET_WORDS.launcher, {
          button: 'Shown on the page',
          none: 'None: your own buttons open it',
        }),
      },
      {
        name: 'launcher_label',
        kind: 'text',
        label: 'Text of the button',
        placeholder: 'Ask',
        maxLength: 60,
      },
      { name: 'placeholder', kind: 'text', label: 'Text of the empty field', maxLength: 120 },
      {
        name: 'disclaimer',
        kind: 'text',
        label: 'Line below the field',
        placeholder: 'Answers are made by a machine.',
        maxLength: 300,
      },
      {
        name: 'language',
        kind: 'choice',
        label: 'Language',
        choices: [
          ['', 'Of the page, then of the browser'],
          ...LANGUAGES.map((code) => [code, nameOfLanguage.of(code) ?? code] as const),
        ],
      },
      { name: 'privacy_url', kind: 'text', label: 'Link to your privacy policy', maxLength: 2_000 },
      {
        name: 'support_url',
        kind: 'text',
        label: 'Link to people',
        maxLength: 2_000,
        hint: 'Always below, and where an answer did not help.',
      },
      { name: 'support_email', kind: 'text', label: 'E-mail address of people', maxLength: 320 },
    ],
  },
  {
    title: 'Behaviour',
    fields: [
      {
        name: 'default_tab',
        kind: 'choice',
        label: 'Opens with',
        choices: words(WIDGET_WORDS.default_tab, { ask: 'Ask', search: 'Search' }),
      },
      { name: 'search', kind: 'switch', label: 'Search tab', byDefault: true },
      {
        name: 'shortcut',
        kind: 'text',
        label: 'Keys that open it',
        placeholder: 'mod+k',
        maxLength: 40,
        hint: 'mod is the command key or Control. none for no keys.',
      },
      { name: 'slash', kind: 'switch', label: 'The key / opens the search', byDefault: true },
      {
        name: 'selection',
        kind: 'switch',
        label: 'Selected text can be asked about',
        byDefault: false,
      },
      { name: 'mcp_enabled', kind: 'switch', label: 'Button “Use MCP”', byDefault: true },
      {
        name: 'consent',
        kind: 'choice',
        label: 'Consent',
        choices: words(WIDGET_WORDS.consent, {
          none: 'Not asked for',
          required: 'Nothing is fetched before a press',
        }),
      },
      {
        name: 'hide_branding',
        kind: 'switch',
        label: 'Hide “Powered by”',
        byDefault: false,
        hint: 'Where the plan allows it.',
      },
    ],
  },
  {
    title: 'Voice',
    fields: [
      {
        name: 'persona',
        kind: 'text',
        label: 'Persona',
        maxLength: LIMITS.persona,
        hint: 'Empty: that of the knowledge base. They apply to answers of a language model.',
      },
      { name: 'tone', kind: 'text', label: 'Tone', maxLength: LIMITS.tone },
      {
        name: 'standing_instructions',
        kind: 'long',
        label: 'Standing instructions',
        maxLength: LIMITS.standingInstructions,
      },
    ],
  },
]

export const LOOK_FIELDS: readonly LookField[] = LOOK_PARTS.flatMap(({ fields }) => fields)
