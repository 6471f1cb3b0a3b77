import { z } from 'zod'
import { idOf, wholeNumber } from './fields.ts'

const count = wholeNumber()

/** The records of a knowledge base, counted by noun. */
export const OwnedCounts = z
  .object({
    sources: count,
    documents: count,
    conversations: count,
    custom_answers: count,
    client_keys: count,
    widgets: count,
    bots: count,
    helpdesk_integrations: count,
    agent_apps: count,
    form_deflectors: count,
    mcp_servers: count,
  })
  .meta({ id: 'OwnedCounts', description: 'Number of records in a knowledge base, by kind.' })

export type OwnedCounts = z.infer<typeof OwnedCounts>

export const DeletionPreview = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    name: z.string().meta({ examples: ['Acme docs'] }),
    requires_confirmation: z.boolean().meta({
      description: 'Whether its exact name must be sent as `confirm`, because it is not empty.',
      examples: [true],
    }),
    counts: OwnedCounts,
  })
  .meta({ id: 'DeletionPreview', description: 'What a deletion would delete.' })

export type DeletionPreview = z.infer<typeof DeletionPreview>

export const DeleteKnowledgeBase = z
  .strictObject({
    confirm: z
      .string()
      .max(1_000)
      .optional()
      .meta({
        description: 'The exact name of the knowledge base. Required if it is not empty.',
        examples: ['Acme docs'],
      }),
  })
  .meta({ id: 'DeleteKnowledgeBase' })

export const DeletedKnowledgeBase = z
  .object({ deleted: z.literal(true), id: idOf('knowledge base'), counts: OwnedCounts })
  .meta({ id: 'DeletedKnowledgeBase', description: 'What was deleted permanently.' })

export type DeletedKnowledgeBase = z.infer<typeof DeletedKnowledgeBase>
