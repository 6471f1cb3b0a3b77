import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, lineText, nullableText, Origins, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { WidgetLooks } from './widget-looks.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Acme docs'] })
const Enabled = z
  .boolean()
  .meta({ description: 'If false, requests with its `widget_id` are refused.', examples: [true] })
const Config = WidgetLooks.extend({
  persona: text(0, LIMITS.persona).nullable().optional(),
  tone: text(0, LIMITS.tone).nullable().optional(),
  standing_instructions: text(0, LIMITS.standingInstructions).nullable().optional(),
}).meta({
  description:
    'Saved settings of the widget: the looks and texts that its script supports, and its voice. `persona`, `tone` and `standing_instructions` replace those of the knowledge base in answers to its readers.',
  examples: [{ accent: '#0b6e69', mode: 'sidebar' }],
})

export const Widget = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    enabled: Enabled,
    allowed_origins: Origins,
    config: Config,
    last_seen_at: Timestamp.nullable().describe(
      'When a page last showed it, to the minute. Null: never. Pages of this service do not count.',
    ),
    last_seen_origin: nullableText('https://docs.example.com').describe(
      'Origin of that page, as its browser sent it.',
    ),
  })
  .meta({ id: 'Widget', description: 'A saved website widget.' })

export type Widget = z.infer<typeof Widget>

export const NewWidget = z
  .strictObject({
    name: Name,
    enabled: Enabled.default(true),
    allowed_origins: Origins.default([]),
    config: Config.default({}),
  })
  .meta({ id: 'NewWidget', examples: [{ name: 'Acme docs', allowed_origins: ['https://docs.example.com'] }] })

export type NewWidget = z.infer<typeof NewWidget>

export const WidgetChange = z
  .strictObject({ name: Name, enabled: Enabled, allowed_origins: Origins, config: Config })
  .partial()
  .meta({
    id: 'WidgetChange',
    description: '`config` is merged key by key.',
    examples: [{ enabled: false }],
  })

export type WidgetChange = z.infer<typeof WidgetChange>

const widgets = recordEndpoints({
  room: 'channels/widgets',
  group: 'Widgets',
  path: 'widgets',
  record: Widget,
  page: pageOf(Widget, 'WidgetPage'),
})

export const WIDGET_ENDPOINTS = declareEndpoints({
  listWidgets: widgets.list({ summary: 'List the widgets' }),
  createWidget: widgets.create({
    summary: 'Make a widget',
    body: NewWidget,
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  }),
  getWidget: widgets.get({ summary: 'Read a widget' }),
  updateWidget: widgets.change({ summary: 'Change a widget', body: WidgetChange }),
  deleteWidget: widgets.remove({ summary: 'Delete a widget' }),
})
