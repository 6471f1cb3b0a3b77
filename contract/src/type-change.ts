import { z } from 'zod'
import { idOf, wholeNumber } from './fields.ts'

const named = z
  .object({
    count: wholeNumber(1),
    names: z.array(z.string()).meta({ description: 'The first 20, by name.', examples: [['Acme docs']] }),
  })
  .meta({ id: 'NamedRecords', description: 'Some records of a knowledge base.' })

/** What happens to records of a base that becomes internal. */
export const AffectedByType = z.object({
  client_keys: named.describe('Live keys. They are revoked, and stay revoked.'),
  widgets: named.describe('They answer no more.'),
  mcp_servers: named.describe('Servers for readers. They are deleted.'),
  form_deflectors: named.describe('They answer no more.'),
  helpdesk_integrations: named.describe('They answer no more.'),
  bots: named.describe('They keep answering everyone in their channels: bots do not check who asks.'),
  documents: named.describe('Public ones. They become restricted, and stay restricted.'),
})

export type AffectedByType = z.infer<typeof AffectedByType>

export const TypeChangeQuery = z.object({
  to: z
    .enum(['internal'], { error: 'must be internal' })
    .default('internal')
    .meta({ examples: ['internal'] }),
})

export const TypeChangePreview = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    name: z.string().meta({ examples: ['Acme docs'] }),
    to: z.enum(['internal']),
    stops: AffectedByType.omit({ bots: true, documents: true }),
    goes_on: AffectedByType.pick({ bots: true }),
    becomes_restricted: AffectedByType.pick({ documents: true }),
  })
  .meta({ id: 'TypeChangePreview', description: 'What changing the type of a knowledge base would do.' })

export type TypeChangePreview = z.infer<typeof TypeChangePreview>
