import { z } from 'zod'
import { CAPTCHA_PROVIDERS } from './closed-lists.ts'
import { declareEndpoints } from './endpoint.ts'
import { HttpUrl, idOf } from './fields.ts'
import { PublicKnowledgeBase } from './params.ts'

export const WidgetConfig = z
  .object({
    knowledge_base_id: idOf('knowledge base of the key'),
    knowledge_base_name: z.string().meta({
      description: 'Shown at the top of the widget, unless the page sets another.',
      examples: ['Acme docs'],
    }),
    captcha_required: z.boolean().meta({
      description:
        'Whether this key must send a CAPTCHA token with questions, searches, ratings and form-deflect requests. Always false for a secret pair.',
      examples: [false],
    }),
    captcha_site_key: z.string().meta({
      description:
        'The site key for fetching tokens. For `altcha`, the path of its challenges. Empty if CAPTCHA is off.',
      examples: [''],
    }),
    captcha_provider: z
      .enum(CAPTCHA_PROVIDERS)
      .optional()
      .meta({
        description: 'The provider of the tokens. Omitted if CAPTCHA is off.',
        examples: ['turnstile'],
      }),
    hide_branding_allowed: z.boolean().meta({
      description: 'Whether the page may hide the branding line: only with the Enterprise plan.',
      examples: [true],
    }),
    mcp_available: z
      .boolean()
      .meta({ description: 'Whether readers may connect AI tools.', examples: [false] }),
    mcp_url: HttpUrl.optional().meta({
      description: 'Where AI tools connect. Omitted if `mcp_available` is false.',
      examples: ['https://answers.example.com/mcp/acme-docs'],
    }),
    mcp_oauth: z
      .literal(true)
      .optional()
      .meta({ description: '`true` if readers sign in there instead of using a key. Omitted otherwise.' }),
  })
  .meta({ id: 'WidgetConfig', description: 'What a widget needs to know before it is shown.' })

export type WidgetConfig = z.infer<typeof WidgetConfig>

export const SavedWidgetConfig = WidgetConfig.extend({
  id: idOf('widget'),
  enabled: z.boolean().meta({ examples: [true] }),
  config: z.record(z.string(), z.unknown()).meta({
    description:
      'Its saved settings. `exit_feedback_enabled` and `satisfaction_feedback_enabled` are always false, and `satisfaction_after_answers` is never included, whatever was saved.',
    examples: [
      { accent_color: '#0b7a75', exit_feedback_enabled: false, satisfaction_feedback_enabled: false },
    ],
  }),
}).meta({ id: 'SavedWidgetConfig', description: 'What a saved widget needs to know before it is shown.' })

export type SavedWidgetConfig = z.infer<typeof SavedWidgetConfig>

const about = { caller: 'public-key', room: 'channels/widgets', group: 'Widgets', method: 'GET' } as const

export const WIDGET_CONFIG_ENDPOINTS = declareEndpoints({
  getWidgetConfig: {
    ...about,
    path: '/api/v1/public/knowledge-bases/{knowledgeBaseId}/widget-config',
    summary: 'Read what a widget needs',
    params: PublicKnowledgeBase,
    answer: { status: 200, body: WidgetConfig },
  },
  getSavedWidgetConfig: {
    ...about,
    path: '/api/v1/public/widget-integrations/{widgetId}/config',
    summary: 'Read what a saved widget needs',
    description: 'The same, with the settings saved for this widget. It must be enabled and allow the page.',
    params: z.object({ widgetId: idOf('widget') }),
    answer: { status: 200, body: SavedWidgetConfig },
    refusals: ['WIDGET_DISABLED', 'ORIGIN_NOT_ALLOWED'],
  },
})
