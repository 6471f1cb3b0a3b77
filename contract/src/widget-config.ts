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
      .describe('`true` if readers sign in there instead of using a key. Omitted otherwise.'),
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
      {
        accent: '#0b6e69',
        mode: 'sidebar',
        exit_feedback_enabled: false,
        satisfaction_feedback_enabled: false,
      },
    ],
  }),
}).meta({ id: 'SavedWidgetConfig', description: 'What a saved widget needs to know before it is shown.' })

export type SavedWidgetConfig = z.infer<typeof SavedWidgetConfig>

/** What a script tag without a client key asks for. */
export const WidgetKey = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    client_key: z.string().meta({
      description: 'The public client key for this page.',
      examples: ['cw_pk_2v8Jq0aLwYb3NcRkT5mXzE7hU1sD9fGpK4iOe6tB'],
    }),
  })
  .meta({ id: 'WidgetKey', description: 'The public client key that a page of the widget uses.' })

export type WidgetKey = z.infer<typeof WidgetKey>

const about = { caller: 'public-key', room: 'channels/widgets', group: 'Widgets', method: 'GET' } as const

/** They hand out a key, so they ask for none; requests are counted by the address of the reader. */
const withoutKey = { ...about, caller: 'nobody' } as const
const OF_KEY = [
  'UNAUTHENTICATED',
  'ORIGIN_NOT_ALLOWED',
  'KNOWLEDGE_BASE_INTERNAL',
  'KNOWLEDGE_BASE_ARCHIVED',
] as const

export const WIDGET_CONFIG_ENDPOINTS = declareEndpoints({
  getWidgetKey: {
    ...withoutKey,
    path: '/api/v1/public/knowledge-bases/{knowledgeBaseId}/widget-key',
    summary: 'Find the client key of the website widget',
    description:
      'For a script tag without `data-client-key`. It is the oldest live public key of the knowledge base, which was made with it; if that key does not allow the page, the oldest one that names the origin of the page.',
    params: PublicKnowledgeBase,
    answer: { status: 200, body: WidgetKey },
    refusals: OF_KEY,
  },
  getKeyOfSavedWidget: {
    ...withoutKey,
    path: '/api/v1/public/widget-integrations/{widgetId}/widget-key',
    summary: 'Find the client key for a saved widget',
    description:
      'The same for a script tag that has only `data-widget-id`. The widget must be enabled and allow the page.',
    params: z.object({ widgetId: idOf('widget') }),
    answer: { status: 200, body: WidgetKey },
    refusals: [...OF_KEY, 'WIDGET_DISABLED'],
  },
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
