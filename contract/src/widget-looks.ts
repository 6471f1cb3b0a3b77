import { z } from 'zod'
import { HttpUrl, Id, lineText, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { WIDGET_WORDS } from './widget-words.ts'

/** A look that may be left out; null clears it. */
const look = <Schema extends z.ZodType>(schema: Schema, description: string, example: unknown) =>
  schema
    .nullable()
    .optional()
    .meta({ description, examples: [example] })

const word = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  look(
    z.enum(words, { error: `must be one of ${words.join(', ')}` }),
    `${description} Default: \`${words[0]}\`.`,
    words[0],
  )

const isSwitch = (description: string, byDefault: boolean) =>
  look(
    z.boolean({ error: 'must be true or false' }),
    `${description} Default: \`${String(byDefault)}\`.`,
    byDefault,
  )

const matching = (pattern: RegExp, error: string) => z.string().trim().max(200).regex(pattern, { error })

/** `#0b6e69`, `teal`, `oklch(0.5 0.1 190)`. The widget passes it to the browser as a value, never as a part of a style sheet. */
const Colour = matching(
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,30}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/a-z-]{1,80}\))$/i,
  'must be a CSS colour, such as #0b6e69',
)

const LENGTH = '\\d{1,4}(?:\\.\\d{1,3})?(?:px|rem|em)'
const Length = matching(new RegExp(`^(?:0|${LENGTH})$`), 'must be a length, such as 12px')
/** An address, a path of the page's own site, or an image written out. */
const Image = z
  .string()
  .trim()
  .max(20_000)
  .refine(
    (value) =>
      HttpUrl.safeParse(value).success ||
      /^\/(?!\/)[^\s"'<>\\]{0,2000}$/.test(value) ||
      /^data:image\/(?:png|jpeg|webp|gif|avif|svg\+xml)[;,]/.test(value),
    { error: 'must be an http or https address, a path such as /logo.svg, or a data: image' },
  )

const Shortcut = matching(
  /^(?:none|(?=[a-z]{3,5}\+)(?:mod\+)?(?:alt\+)?(?:shift\+)?[a-z\d./,;'-])$/,
  'must be mod, alt and shift, in this order, and a key, such as mod+k or mod+shift+f, or none',
)

/**
 * The looks and habits of the website widget, in the words of the script tag: `data-z-index` is `z_index` here. An attribute of the page wins
 * over what is saved.
 */
export const WidgetLooks = z
  .looseObject({
    mode: word(WIDGET_WORDS.mode, 'How the widget opens.'),
    position: word(WIDGET_WORDS.position, 'Side of the launcher and the sidebar.'),
    offset: look(Length, 'Distance of the launcher from the edges.', '20px'),
    theme: word(WIDGET_WORDS.theme, '`page` follows the page.'),
    accent: look(Colour, 'Colour of buttons and links; it is changed where it could not be read.', '#0b6e69'),
    radius: look(Length, 'Radius of corners.', '12px'),
    font: word(WIDGET_WORDS.font, '`inherit`: that of the page.'),
    logo: look(Image, 'Shown at the top.', 'https://docs.example.com/logo.svg'),
    z_index: look(
      z.int({ error: 'must be a whole number' }).min(0).max(2_147_483_647),
      'Default: on top.',
      1000,
    ),
    launcher: word(WIDGET_WORDS.launcher, '`none`: your own buttons open the widget.'),
    launcher_label: look(lineText(0, 60), 'Text of the launcher.', 'Ask'),
    launcher_icon: look(Image, 'Icon of the launcher.', 'https://docs.example.com/ask.svg'),
    default_tab: word(WIDGET_WORDS.default_tab, 'The tab that is open first.'),
    search: isSwitch('Whether there is a tab for searching.', true),
    shortcut: look(Shortcut, 'Keys that open the widget. Default: `mod+k`.', 'mod+k'),
    slash: isSwitch('Whether `/` opens the search.', true),
    deep_link: isSwitch('Whether a question in the address of the page (`?ask=…`) opens the widget.', false),
    query_param: look(
      matching(/^[\w-]{1,40}$/, 'must be a name of letters, digits, - and _'),
      'Parameter of the address that holds a question. Default: `ask`.',
      'ask',
    ),
    allow_autosend: isSwitch('Whether a question in the address is asked without a press.', false),
    selection: isSwitch('Whether selected text of the page can be asked about.', false),
    remember: word(WIDGET_WORDS.remember, 'How long the browser keeps the conversation.'),
    open_links: word(WIDGET_WORDS.open_links, 'Where links open.'),
    language: look(
      matching(/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i, 'must be a language tag, such as de or pt-BR'),
      'Default: the language of the page, then of the browser.',
      'de',
    ),
    placeholder: look(lineText(0, 120), 'Shown in the empty field.', 'Ask about Acme'),
    disclaimer: look(text(0, 300), 'Shown below the field.', 'Answers are made by a machine.'),
    privacy_url: look(HttpUrl, 'Link of the privacy line.', 'https://example.com/privacy'),
    support_url: look(HttpUrl, 'Where readers reach people.', 'https://example.com/contact'),
    support_email: look(
      z.email({ error: 'must be an e-mail address' }).max(254),
      'The same.',
      'help@example.com',
    ),
    consent: word(WIDGET_WORDS.consent, '`required`: nothing is fetched before a press.'),
    events: word(WIDGET_WORDS.events, 'Events for scripts of the page.'),
    product_name: look(
      lineText(0, LIMITS.name),
      'Shown at the top in place of the name of the base.',
      'Acme',
    ),
    hide_branding: isSwitch('Counts only where `hide_branding_allowed` is true.', false),
    mcp_enabled: isSwitch('`false` hides the button Use MCP.', true),
    source_group_ids: look(z.array(Id).max(50), 'Limits questions and searches to these groups.', [
      '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
    ]),
  })
  .meta({
    id: 'WidgetLooks',
    description: 'The looks of a website widget. Other fields are kept as they are.',
  })
