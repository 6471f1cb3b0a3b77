import { z } from 'zod'
import { idOf, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'

/** Common fields of bots, help-desk integrations and agent apps, with their create and change forms. */

const Name = text(1, LIMITS.name)
const Enabled = z.boolean().meta({ description: 'If false, it answers nothing.', examples: [true] })
const Config = z.record(z.string().max(100), z.unknown()).meta({
  description: 'Its settings. Do not put secrets here: everyone who may read the record sees them.',
  examples: [{ channel: 'help' }],
})
const Credentials = z.record(z.string().min(1).max(100), z.string().max(8_000)).meta({
  description: 'Tokens and passwords for the other service. Stored encrypted, and never shown again.',
  examples: [{ token: 'xoxb-…' }],
})

export const integrationRecord = {
  ...recordFields,
  knowledge_base_id: idOf('knowledge base'),
  name: Name.meta({ examples: ['Help'] }),
  enabled: Enabled,
  config: Config,
  has_credentials: z.boolean().meta({ description: 'Whether credentials are stored.', examples: [true] }),
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
    .meta({ description: 'Replaces the stored ones; null deletes them.' }),
}
