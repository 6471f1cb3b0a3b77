import { z } from 'zod'
import { PERMISSIONS_ON_BASE } from './endpoint.ts'
import { CreatedClientKey } from './client-keys.ts'
import { idOf, lineText, recordFields, text, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery } from './paging.ts'
import { PiiMasking } from './pii-masking.ts'
import { Widget } from './widgets.ts'

const Name = lineText(LIMITS.knowledgeBaseName.min, LIMITS.knowledgeBaseName.max).meta({
  examples: ['Acme docs'],
})
const Description = text(0, LIMITS.description)
  .nullable()
  .meta({ examples: [null] })
const Type = z
  .enum(['external', 'internal'])
  .describe(
    '`external` may answer the public. `internal` answers members of the workspace only, and all its documents are restricted.',
  )
const Language = z
  .string()
  .trim()
  .max(35)
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, { error: 'must be a language tag such as en or pt-BR' })
  .nullable()
  .meta({
    description:
      'Language of its pages, which decides how words are searched: as it was chosen, or as it was found out from the pages. Null: they are in English or in several languages, or not read yet. Null in a request: it is found out.',
    examples: ['en'],
  })
const RespectRobotsTxt = z
  .boolean()
  .meta({ description: 'Whether crawls obey robots.txt.', examples: [true] })
const ScheduledCrawling = z
  .enum(['hourly', 'daily', 'weekly', 'monthly'])
  .nullable()
  .meta({
    description: 'An extra sync of every source, in addition to the refresh of each.',
    examples: ['weekly'],
  })
const Persona = text(0, LIMITS.persona)
  .nullable()
  .meta({ description: 'Who answers.', examples: ['A support engineer of Acme.'] })
const Tone = text(0, LIMITS.tone)
  .nullable()
  .meta({ description: 'How answers sound.', examples: ['Short and friendly.'] })
const StandingInstructions = text(0, LIMITS.standingInstructions)
  .nullable()
  .meta({
    description: 'Instructions for every answer.',
    examples: ['Name the product version that a statement is about.'],
  })
/** The style of answers. Null: none. */
export const styleFields = { persona: Persona, tone: Tone, standing_instructions: StandingInstructions }

const MembersCanChat = z.boolean().meta({
  description: 'Whether every member of the workspace may ask it if it is internal.',
  examples: [true],
})

const Settings = z.strictObject({
  mcp_documents_enabled: z
    .boolean()
    .meta({ description: 'Whether MCP servers offer the tool `get_documents`.', examples: [false] }),
})

const StarterQuestions = z.strictObject({
  mode: z
    .enum(['generated', 'own', 'none'])
    .describe('`generated`: derived from the titles of public pages.'),
  questions: z
    .array(lineText(1, LIMITS.starterQuestion))
    .max(LIMITS.starterQuestions)
    .meta({
      description: 'The questions of mode `own`, in order.',
      examples: [['How do I rotate an API key?']],
    }),
})

export const KnowledgeBase = z
  .object({
    ...recordFields,
    workspace_id: idOf('workspace'),
    name: Name,
    description: Description,
    type: Type,
    status: z.enum(['active', 'archived']),
    language: Language,
    respect_robots_txt: RespectRobotsTxt,
    settings: z.object(Settings.shape),
    starter_questions: z.object(StarterQuestions.shape),
    scheduled_crawling: ScheduledCrawling,
    persona: Persona,
    tone: Tone,
    standing_instructions: StandingInstructions,
    pii_masking: z.object(PiiMasking.shape),
    workspace_members_can_chat: MembersCanChat,
    document_count: wholeNumber(526).describe('Documents that answers can use now.'),
    your_permissions: z.array(z.enum(PERMISSIONS_ON_BASE)).meta({
      description:
        'What the caller may do with it: ask it as a member (`chat`), set it up (`config`), and archive, restore or delete it and change who may use it (`edit-config`). The scope of an access token counts too.',
      examples: [['chat', 'config']],
    }),
  })
  .meta({
    id: 'KnowledgeBase',
    description: 'The content that answers are based on, and how they are written.',
  })

export type KnowledgeBase = z.infer<typeof KnowledgeBase>

export const CreatedKnowledgeBase = KnowledgeBase.extend({
  client_key: CreatedClientKey.nullable().describe('Its public client key. Null for an internal one.'),
  widget: Widget.nullable().describe('Its website widget. Null for an internal one.'),
}).meta({
  id: 'CreatedKnowledgeBase',
  description: 'A new knowledge base; an external one has a public client key and a widget.',
})

export type CreatedKnowledgeBase = z.infer<typeof CreatedKnowledgeBase>

/** The response to a change. */
export const ChangedKnowledgeBase = KnowledgeBase.extend({
  client_key: CreatedClientKey.optional().describe(
    'The public client key that was created because the base became external and had no live key.',
  ),
  widget: Widget.optional().describe(
    'The widget that was created because the base became external and had none.',
  ),
}).meta({
  id: 'ChangedKnowledgeBase',
  description:
    'A knowledge base after a change; one that became external also with the key and widget created for it.',
})

export const NewKnowledgeBase = z
  .strictObject({
    workspace_id: idOf('workspace').optional().describe('May be omitted if you are in one workspace only.'),
    name: Name,
    sample: z
      .boolean()
      .default(false)
      .describe(
        'Also adds the guide of Citewell as its first source, and begins to read it: something to try out.',
      ),
    description: Description.default(null),
    type: Type.default('external'),
    language: Language.default(null),
    respect_robots_txt: RespectRobotsTxt.default(true),
    settings: Settings.partial().default({}),
    starter_questions: StarterQuestions.partial().default({}),
    scheduled_crawling: ScheduledCrawling.default(null),
    persona: Persona.default(null),
    tone: Tone.default(null),
    standing_instructions: StandingInstructions.default(null),
    pii_masking: PiiMasking.partial().default({}),
    workspace_members_can_chat: MembersCanChat.default(true),
  })
  .meta({ id: 'NewKnowledgeBase', examples: [{ name: 'Acme docs' }] })

export type NewKnowledgeBase = z.infer<typeof NewKnowledgeBase>

export const KnowledgeBaseChange = z
  .strictObject({
    name: Name,
    description: Description,
    type: Type,
    language: Language,
    respect_robots_txt: RespectRobotsTxt,
    settings: Settings.partial(),
    starter_questions: StarterQuestions.partial(),
    scheduled_crawling: ScheduledCrawling,
    persona: Persona,
    tone: Tone,
    standing_instructions: StandingInstructions,
    pii_masking: PiiMasking.partial(),
    workspace_members_can_chat: MembersCanChat,
  })
  .partial()
  .meta({
    id: 'KnowledgeBaseChange',
    description:
      'Only the fields that are sent are changed. `settings`, `starter_questions` and `pii_masking` are merged key by key.',
    examples: [{ settings: { mcp_documents_enabled: true } }],
  })

export type KnowledgeBaseChange = z.infer<typeof KnowledgeBaseChange>

export const KnowledgeBaseQuery = PageQuery.extend({
  workspace_id: idOf('workspace').optional(),
  status: z.enum(['active', 'archived']).optional().describe('Both if omitted.'),
})
