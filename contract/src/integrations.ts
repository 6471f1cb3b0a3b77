import { z } from 'zod'
import { idOf, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'

/** What bots, help-desk integrations and agent apps have in common: fields, and how each is given and changed. */

const Name = text(1, LIMITS.name)
const Enabled = z.boolean().meta({ description: 'When off, it answers nothing.', examples: [true] })
const Config = z.record(z.string().max(100), z.unknown()).meta({
  description: 'Its settings. Nothing secret belongs here: they are shown to whoever may read the record.',
  examples: [{ channel: 'help' }],
})
const Credentials = z.record(z.string().min(1).max(100), z.string().max(8_000)).meta({
  description: 'Tokens and passwords for the other side. Kept sealed, and never shown again.',
  examples: [{ token: 'xoxb-…' }],
})

export const integrationRecord = {
  ...recordFields,
  knowledge_base_id: idOf('knowledge base'),
  name: Name.meta({ examples: ['Help'] }),
  enabled: Enabled,
  config: Config,
  has_credentials: z.boolean().meta({ description: 'Whether credentials are kept.', examples: [true] }),
}

export const newIntegration = {
  name: Name.meta({ examples: ['Help'] }),
  enabled: Enabled.default(true),
  config: Config.default({}),
  credentials: Credentials.optional(),
}

export const integrationChange = {
  name: Name.optional(),
  enabled: Enabled.optional(),
  config: Config.optional(),
  credentials: Credentials.nullable()
    .optional()
    .meta({ description: 'Replaces those that are kept; null forgets them.' }),
}
