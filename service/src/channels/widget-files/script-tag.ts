import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'

/** Attributes of the script tag that the address of a demo or preview page may set. Those that name another service or a link may not. */
const TRIED_ATTRIBUTES = [
  'knowledge-base-id',
  'widget-id',
  'client-key',
  'product-name',
  'hide-branding',
  'mcp-enabled',
  'source-group-ids',
  'mode',
  'position',
  'offset',
  'theme',
  'accent',
  'radius',
  'font',
  'z-index',
  'launcher',
  'launcher-label',
  'default-tab',
  'search',
  'shortcut',
  'slash',
  'selection',
  'language',
  'placeholder',
  'disclaimer',
  'consent',
] as const

type Attribute = (typeof TRIED_ATTRIBUTES)[number]

/** Attributes of the tag, without `data-`. */
export type TagAttributes = Partial<Record<Attribute, string>>

/** Longest value that is taken from an address. */
const MOST_CHARACTERS = 500

/** The attributes that a query names, in kebab-case or snake_case. */
export function attributesOfQuery(query: Readonly<Record<string, string>>): TagAttributes {
  const given = TRIED_ATTRIBUTES.flatMap((name) => {
    const value = query[name] ?? query[name.replaceAll('-', '_')]
    return value === undefined || value === '' ? [] : [[name, value.slice(0, MOST_CHARACTERS)] as const]
  })
  return Object.fromEntries(given)
}

/** The script tag of the widget. */
export const scriptTag = (attributes: TagAttributes): Markup => {
  const given = Object.entries(attributes)
  // Names are of the list above; values are escaped by `html`.
  const written = given.map(([name, value]) => html` data-${name}="${value}"`)
  return html`<script async src="/widget.js" ${written}></script>`
}

/** A value between quotes. Whoever copies the tag must not get more than this one from the address of a demo. */
const quoted = (value: string) => `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`

/** The same as a text to copy. */
export const scriptTagText = (origin: string, attributes: TagAttributes): string =>
  [
    `<script async src="${origin}/widget.js"`,
    ...Object.entries(attributes).map(([name, value]) => `        data-${name}=${quoted(value)}`),
  ].join('\n') + '></script>'
