import { z } from 'zod'
import { Citation } from './chat.ts'
import { Milliseconds } from './conversations.ts'
import { HeadingPath } from './documents.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { fraction, Id, idOf, nullableText, PageUrl, recordFields, text } from './fields.ts'
import { styleFields } from './knowledge-bases.ts'
import { LIMITS } from './limits.ts'
import { TracePage, TracesQuery } from './listed-traces.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const Withheld = z.boolean().meta({
  description: 'True if you may not read the page: then its texts are null.',
  examples: [false],
})
const Title = nullableText('Rotating keys')
const Url = PageUrl.nullable()
const Cosine = z
  .number()
  .nullable()
  .meta({ examples: [0.71] })

export const RetrievedPassage = z
  .object({
    rank: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    chunk_id: idOf('passage at that time'),
    document_id: idOf('document'),
    title: Title,
    url: Url,
    heading_path: HeadingPath.nullable(),
    version_label: nullableText(),
    score: z.number().meta({ description: '0 to 1, combined from the other scores.', examples: [0.83] }),
    similarity: Cosine.describe(
      'Similarity in meaning to the question. Null if only keywords were searched.',
    ),
    sentence_similarity: Cosine.describe('The same for its most similar sentence.'),
    word_coverage: z
      .number()
      .describe('Fraction of the words of the question that it contains; rare ones count more.'),
    word_score: z.number().nullable().describe('BM25. Null if no word matched.'),
    shown_as: z.int().nullable().describe('Its number in the prompt. Null if it was left out.'),
    withheld: Withheld,
  })
  .meta({ id: 'RetrievedPassage', description: 'A passage that was found.' })

export const CoverageJudgement = z
  .object({
    covered: z.boolean(),
    confidence: z.number().meta({ examples: [0.86] }),
    features: z.record(z.string(), z.number()).meta({
      description: 'The features of the judgement, each 0 to 1.',
      examples: [{ similarity: 0.71, coverage: 0.9 }],
    }),
  })
  .meta({
    id: 'CoverageJudgement',
    description: 'Whether the passages answer the question, judged before the answer was written.',
  })

export const ShownEvidence = z
  .object({
    number: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    document_id: idOf('document'),
    chunk_ids: z.array(z.uuid()),
    text: nullableText('[1] Rotating keys\n\nKeys rotate daily.').describe(
      'The exact text, with its heading.',
    ),
    withheld: Withheld,
  })
  .meta({ id: 'ShownEvidence', description: 'The evidence in the prompt under one number.' })

export const CitationCheck = z
  .object({
    number: z.int().meta({ description: 'As written by the model.', examples: [3] }),
    claim: nullableText('Keys are rotated every day.'),
    outcome: z
      .enum(['kept', 'moved', 'dropped'])
      .describe('`moved`: kept with another number, because citations of the answer are numbered from 1.'),
    became: z
      .int()
      .nullable()
      .meta({ description: 'Its number in the answer.', examples: [1] }),
    reason: z
      .enum(['not_offered', 'not_supported'])
      .nullable()
      .meta({
        description:
          'Why it was dropped: there was no excerpt with that number, or the excerpt does not support the sentence.',
        examples: [null],
      }),
  })
  .meta({
    id: 'CitationCheck',
    description: 'The check of one `[n]` that the model put after a sentence.',
  })

export const TraceStep = z
  .object({ name: z.string().meta({ examples: ['retrieve-chunks'] }), ms: z.number().min(0) })
  .meta({ id: 'TraceStep', examples: [{ name: 'retrieve-chunks', ms: 14.2 }] })

const traceFields = {
  query: z.string().meta({ examples: ['How do I rotate an API key?'] }),
  rewritten_query: nullableText(),
  earlier: z.array(z.object({ query: z.string(), answer: z.string().nullable() })).meta({
    description: 'Earlier turns that were taken into account, as sent to the model.',
    examples: [[]],
  }),
  scope: z
    .object({
      top_k: z.int(),
      source_group_ids: z.array(z.string()).nullable().describe('Null for all of them.'),
      includes_restricted: z.boolean(),
    })
    .meta({ examples: [{ top_k: 15, source_group_ids: null, includes_restricted: false }] }),
  search_mode: z
    .enum(['hybrid', 'lexical'])
    .nullable()
    .describe('`lexical`: keywords only, without an embedding model.'),
  retrieved: z.array(RetrievedPassage).describe('Best first.'),
  coverage: CoverageJudgement.nullable(),
  writer: z
    .enum(['model', 'quotes', 'nobody'])
    .nullable()
    .describe(
      '`quotes`: sentences of the pages, word for word. `nobody`: the reader was told that the question is not covered.',
    ),
  model: nullableText(),
  instructions: nullableText().describe(
    'The exact instructions of the model: the rules, and the instructions of the owner.',
  ),
  evidence: z.array(ShownEvidence),
  written: nullableText('Keys rotate daily [3].').describe('The answer as written by the model.'),
  citation_checks: z.array(CitationCheck),
  answer: nullableText('Keys rotate daily [1].').describe('The answer after the checks.'),
  citations: z.array(Citation),
  covered: z.boolean(),
  confidence: fraction(0.86),
  stopped_by: nullableText(),
  withheld: z.boolean().meta({
    description: 'True if the answer is based on pages that you may not read: then its texts are null.',
    examples: [false],
  }),
  steps: z.array(TraceStep).describe('Duration of each step, in order.'),
  first_ms: Milliseconds,
  total_ms: Milliseconds,
}

/** All recorded steps of an answer. */
export const AnswerSteps = z
  .object(traceFields)
  .meta({ id: 'AnswerSteps', description: 'How an answer was produced, step by step.' })

export type AnswerSteps = z.infer<typeof AnswerSteps>

export const Trace = z
  .object({
    ...recordFields,
    message_id: idOf('message'),
    conversation_id: idOf('conversation'),
    knowledge_base_id: idOf('knowledge base'),
    ...traceFields,
  })
  .meta({
    id: 'Trace',
    description: 'How the answer of a message was produced, step by step. Its id is that of the message.',
  })

export type Trace = z.infer<typeof Trace>

const PageName = z.object({ document_id: idOf('document'), title: Title, url: Url })
const PageDifference = z
  .object({ kept: z.int().min(0), gone: z.array(PageName), added: z.array(PageName) })
  .meta({
    id: 'PageDifference',
    description: 'Pages cited by both answers, only by the earlier one, and only by the new one.',
  })

export const Replay = z
  .object({
    message_id: idOf('message'),
    before: AnswerSteps,
    after: AnswerSteps,
    differences: z
      .object({
        any: z.boolean().meta({ description: 'Whether anything below differs.', examples: [true] }),
        rewritten_query: z.boolean(),
        pages_found: PageDifference,
        pages_cited: PageDifference,
        covered: z
          .object({ before: z.boolean(), after: z.boolean() })
          .nullable()
          .meta({ description: 'Null if it is the same.', examples: [null] }),
        answer: z.boolean().describe('Whether the text differs.'),
      })
      .meta({ id: 'ReplayDifferences' }),
  })
  .meta({ id: 'Replay', description: 'A stored answer beside a new answer to the same question.' })

export type Replay = z.infer<typeof Replay>

/** What is tried in place of the settings of the base, or of those with which a question was asked. */
const overrides = {
  group_ids: z
    .array(Id)
    .max(LIMITS.triedGroups)
    .optional()
    .meta({ description: 'Only these source groups. Empty: all of them.', examples: [[]] }),
  top_k: z.int().min(1).max(LIMITS.topK.max).optional().describe('How many passages to retrieve.'),
  persona: styleFields.persona.optional(),
  tone: styleFields.tone.optional(),
  standing_instructions: styleFields.standing_instructions.optional(),
}

export const TryQuestion = z
  .strictObject({
    query: text(1, LIMITS.query).meta({ examples: ['How do I rotate an API key?'] }),
    ...overrides,
    include_restricted: z
      .boolean()
      .optional()
      .describe(
        'Whether restricted documents are used, as for members, or not, as for readers. Default: if you may chat in the knowledge base; without that permission they are never used.',
      ),
  })
  .meta({ id: 'TryQuestion', examples: [{ query: 'How do I rotate an API key?' }] })

export type TryQuestion = z.infer<typeof TryQuestion>

export const ReplayMessage = z.strictObject(overrides).meta({ id: 'ReplayMessage', examples: [{}] })

export type ReplayMessage = z.infer<typeof ReplayMessage>

const about = {
  caller: 'access-token',
  room: 'answers/traces',
  group: 'Conversations',
  ...CALLED_BY.configurers,
  params: OneRecord,
} as const

export const TRACE_ENDPOINTS = declareEndpoints({
  listTraces: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/traces'),
    summary: 'List the questions that have a trace',
    description: 'Newest first.',
    params: InKnowledgeBase,
    query: TracesQuery,
    answer: { status: 200, body: TracePage },
  },
  getTrace: {
    ...about,
    ...GET('/api/v1/messages/{id}/trace'),
    summary: 'Read the trace of an answer',
    description:
      'The question, the search, the results with their scores, the evidence in the prompt, the text of the model, and the check of each citation.\n\nPages that are not public are withheld from members who may not chat in the knowledge base. Reports of AI tools do not belong to a single answer: they are listed at `/api/v1/knowledge-bases/{id}/reports`.',
    answer: { status: 200, body: Trace },
  },
  replayMessage: {
    ...about,
    ...POST('/api/v1/messages/{id}/replay'),
    summary: 'Replay a question',
    description:
      'The same question, in the same scope and after the same earlier turns, answered with the current pages and settings, or with those in the body. The answer is not stored, does not count against the quota, and causes no webhook. A question that was allowed restricted pages also needs the permission Chat.',
    body: ReplayMessage,
    isBodyOptional: true,
    recordedBy: 'nobody',
    answer: { status: 200, body: Replay },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'GROUP_NOT_ALLOWED'],
  },
  tryQuestion: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/try'),
    summary: 'Try a question',
    description:
      'Answers a question with the settings of the knowledge base, or with others that are not saved, and shows every step. The answer is not stored, does not count against the quota, and causes no webhook; a language model is called.',
    params: InKnowledgeBase,
    body: TryQuestion,
    recordedBy: 'nobody',
    answer: { status: 200, body: AnswerSteps },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'GROUP_NOT_ALLOWED'],
  },
})
