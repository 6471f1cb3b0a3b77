import { z } from 'zod'
import { KnowledgeGap } from './analytics.ts'
import { declareEndpoints, CALLED_BY, GET, PATCH, POST } from './endpoint.ts'
import {
  fraction,
  Id,
  idOf,
  nullableText,
  PageUrl,
  recordFields,
  text,
  Timestamp,
  wholeNumber,
} from './fields.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import { Surface } from './surfaces.ts'

const limits = LIMITS.knowledgeGaps

const Count = wholeNumber(12)

const Day = z.iso.date({ error: 'must be a day such as 2026-03-09' }).meta({ examples: ['2026-03-09'] })

const GapStatus = z.enum(['open', 'resolved', 'dismissed']).meta({
  description:
    'A resolved gap opens again by itself when one of its questions is asked later and not covered. A dismissed one stays dismissed.',
  examples: ['open'],
})

const Note = text(0, limits.note)
  .nullable()
  .meta({ description: 'Of your team.', examples: ['Grace writes a page on this.'] })

const CustomAnswerId = Id.nullable().meta({
  description: 'The custom answer that was written for it. Null if there is none, or it was deleted.',
  examples: [null],
})

const LastReplay = z
  .object({
    at: Timestamp,
    questions: Count.describe('How many of its questions were asked again.'),
    covered: Count.describe('How many of these were covered.'),
  })
  .meta({ id: 'LastReplay', description: 'The result of asking its questions again.' })

/** A gap with its state. `KnowledgeGap` has the figures; both come from the same grouping. */
export const TrackedKnowledgeGap = KnowledgeGap.omit({ first_asked_at: true, last_asked_at: true })
  .extend({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    status: GapStatus,
    note: Note,
    custom_answer_id: CustomAnswerId,
    count_before: Count.describe('Questions in an equal number of days before the range, to see the trend.'),
    first_asked_at: Timestamp.nullable().describe('Null if none was asked in the range.'),
    last_asked_at: Timestamp.nullable(),
    resolved_at: Timestamp.nullable().describe(
      'When it was last marked as resolved, also if it has opened again since.',
    ),
    reopened_at: Timestamp.nullable().describe(
      'When it was asked again and not covered, after it had been resolved.',
    ),
    last_replay: LastReplay.nullable(),
  })
  .meta({
    id: 'TrackedKnowledgeGap',
    description:
      'Questions about one topic that were not covered or rated down, with what was done about them. Later questions on the same topic join it. It goes when the last of its conversations is deleted.',
  })

export type TrackedKnowledgeGap = z.infer<typeof TrackedKnowledgeGap>

const GapQuestion = z
  .object({
    message_id: idOf('message'),
    conversation_id: idOf('conversation'),
    query: z.string().meta({ examples: ['rotate api key manually'] }),
    surface: Surface,
    covered: z.boolean().nullable().describe('Null if the answer was cut off.'),
    vote: z.enum(['up', 'down']).nullable(),
    comment: nullableText(),
    asked_at: Timestamp,
    covered_at_replay: z
      .boolean()
      .nullable()
      .meta({
        description: 'Whether it was covered when it was last asked again. Null if it was not.',
        examples: [true],
      }),
  })
  .meta({ id: 'GapQuestion', description: 'A question of a knowledge gap. Text of an unknown person.' })

const ClosestPage = z
  .object({
    document_id: idOf('document'),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl,
    score: fraction(0.61).describe('The best score among its questions.'),
  })
  .meta({ id: 'ClosestPage', description: 'A page that was found for these questions.' })

export const KnowledgeGapDetail = TrackedKnowledgeGap.extend({
  questions: z
    .array(GapQuestion)
    .describe(`All of its questions of any time, the most recent first, at most ${limits.questions}.`),
  closest_pages: z
    .array(ClosestPage)
    .describe(
      `Pages that were found for them and did not answer them, the best first, at most ${limits.closestPages}; only those that you may read.`,
    ),
}).meta({ id: 'KnowledgeGapDetail', description: 'A knowledge gap with its questions.' })

export type KnowledgeGapDetail = z.infer<typeof KnowledgeGapDetail>

export const KnowledgeGaps = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    from: Day,
    to: Day,
    data: z.array(TrackedKnowledgeGap).describe(`The most asked first, at most ${limits.listed}.`),
    zero_retention: z.boolean().meta({
      description: 'True if the workspace keeps no conversations: then there is nothing to find gaps in.',
      examples: [false],
    }),
  })
  .meta({ id: 'KnowledgeGaps', description: 'The knowledge gaps of a period.' })

export type KnowledgeGaps = z.infer<typeof KnowledgeGaps>

const GapsQuery = z.object({
  status: GapStatus.optional().describe('All if omitted. Open ones are those that were asked in the range.'),
  from: Day.optional().describe(
    `First day, in UTC. ${LIMITS.analytics.defaultDays} days up to \`to\` if omitted.`,
  ),
  to: Day.optional().describe('Last day, in UTC. Today if omitted.'),
})

export type GapsQuery = z.output<typeof GapsQuery>

export const KnowledgeGapChange = z
  .strictObject({ status: GapStatus, note: Note, custom_answer_id: CustomAnswerId })
  .partial()
  .meta({ id: 'KnowledgeGapChange', examples: [{ status: 'resolved' }] })

export type KnowledgeGapChange = z.infer<typeof KnowledgeGapChange>

export const ReplayedGap = z
  .object({
    knowledge_gap: TrackedKnowledgeGap,
    questions: Count.describe('Questions that were asked again.'),
    covered: Count.describe('Those that are covered now.'),
    failed: Count.describe('Those whose answer failed, for example because the model did.'),
    left_out: Count.describe(
      `Older questions than the last ${limits.replayed} wordings, and those that searched restricted pages, if you may not chat in the knowledge base.`,
    ),
  })
  .meta({ id: 'ReplayedGap', description: 'The questions of a gap, asked again today.' })

export type ReplayedGap = z.infer<typeof ReplayedGap>

const MarkdownFile = z
  .object({
    path: z.string().meta({ examples: ['knowledge-gaps/rotate-a-key-by-hand-6f1b2a7e.md'] }),
    content: z.string().meta({ description: 'Markdown.', examples: ['# Can I rotate a key by hand?'] }),
  })
  .meta({ id: 'MarkdownFile' })

export const ExportedGaps = z.object({ files: z.array(MarkdownFile) }).meta({
  id: 'ExportedGaps',
  description:
    'A Markdown file for each gap, and one that says what they are: for whoever writes the documentation, a person or a coding agent.',
})

export type ExportedGaps = z.infer<typeof ExportedGaps>

const about = { caller: 'access-token', room: 'answers/knowledge-gaps', group: 'Knowledge gaps' } as const
const reading = CALLED_BY.configurers

export const KNOWLEDGE_GAP_ENDPOINTS = declareEndpoints({
  listKnowledgeGaps: {
    ...about,
    ...reading,
    ...GET('/api/v1/knowledge-bases/{id}/knowledge-gaps'),
    summary: 'List the knowledge gaps',
    description:
      'Questions about one topic whose answers were not covered or were rated down. A gap keeps its id while questions join it, so it can be answered, resolved and watched. `knowledge_gaps` of the analytics has the same gaps.',
    params: InKnowledgeBase,
    query: GapsQuery,
    answer: { status: 200, body: KnowledgeGaps },
  },
  exportKnowledgeGaps: {
    ...about,
    ...reading,
    ...GET('/api/v1/knowledge-bases/{id}/knowledge-gaps/export'),
    summary: 'Export knowledge gaps as Markdown files',
    description:
      'One file for each gap: its questions, the closest pages, your note. The questions are quoted as data: they are text of unknown people.',
    params: InKnowledgeBase,
    query: GapsQuery,
    answer: { status: 200, body: ExportedGaps },
  },
  getKnowledgeGap: {
    ...about,
    ...reading,
    ...GET('/api/v1/knowledge-gaps/{id}'),
    summary: 'Read a knowledge gap',
    params: OneRecord,
    answer: { status: 200, body: KnowledgeGapDetail },
  },
  updateKnowledgeGap: {
    ...about,
    ...reading,
    ...PATCH('/api/v1/knowledge-gaps/{id}'),
    summary: 'Resolve, dismiss or reopen a knowledge gap, or note something',
    params: OneRecord,
    body: KnowledgeGapChange,
    answer: { status: 200, body: TrackedKnowledgeGap },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  replayKnowledgeGap: {
    ...about,
    ...reading,
    ...POST('/api/v1/knowledge-gaps/{id}/replay'),
    summary: 'Ask all questions of a knowledge gap again',
    description: `Each in the scope in which it was asked, after the same earlier turns, with the current pages and settings; the last ${limits.replayed} wordings. Nothing is stored but whether each was covered, and nothing counts against the quota; a language model is called. The answer comes when all have been asked.`,
    params: OneRecord,
    recordedBy: 'nobody',
    answer: { status: 200, body: ReplayedGap },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
