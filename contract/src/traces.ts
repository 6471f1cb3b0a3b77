import { z } from 'zod'
import { Citation } from './chat.ts'
import { Milliseconds } from './conversations.ts'
import { HeadingPath } from './documents.ts'
import { declareEndpoints } from './endpoint.ts'
import { idOf, PageUrl, recordFields } from './fields.ts'
import { OneRecord } from './params.ts'

const Withheld = z.boolean().meta({
  description: 'True when you may not read the page: its texts are null then.',
  examples: [false],
})
const Title = z
  .string()
  .nullable()
  .meta({ examples: ['Rotating keys'] })
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
    chunk_id: idOf('passage, as it was then'),
    document_id: idOf('document'),
    title: Title,
    url: Url,
    heading_path: HeadingPath.nullable(),
    version_label: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    score: z.number().meta({ description: '0 to 1, made of all the others.', examples: [0.83] }),
    similarity: Cosine.meta({
      description: 'How near it is to the question in meaning. Null where words alone were searched.',
    }),
    sentence_similarity: Cosine.meta({ description: 'The same of its nearest sentence.' }),
    word_coverage: z
      .number()
      .meta({ description: 'Part of the words of the question that it holds; rare ones count more.' }),
    word_score: z.number().nullable().meta({ description: 'BM25. Null where no word matched.' }),
    shown_as: z
      .int()
      .nullable()
      .meta({ description: 'The number that the writer saw it under. Null where it was left out.' }),
    withheld: Withheld,
  })
  .meta({ id: 'RetrievedPassage', description: 'A passage that was found.' })

export const CoverageJudgement = z
  .object({
    covered: z.boolean(),
    confidence: z.number().meta({ examples: [0.86] }),
    features: z.record(z.string(), z.number()).meta({
      description: 'What the judgement was made of, each 0 to 1.',
      examples: [{ similarity: 0.71, coverage: 0.9 }],
    }),
  })
  .meta({
    id: 'CoverageJudgement',
    description: 'Whether the passages answer the question, before anything was written.',
  })

export const ShownEvidence = z
  .object({
    number: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    document_id: idOf('document'),
    chunk_ids: z.array(z.uuid()),
    text: z
      .string()
      .nullable()
      .meta({
        description: 'To the letter, with its heading.',
        examples: ['[1] Rotating keys\n\nKeys rotate daily.'],
      }),
    withheld: Withheld,
  })
  .meta({ id: 'ShownEvidence', description: 'What the writer was shown under one number.' })

export const CitationCheck = z
  .object({
    number: z.int().meta({ description: 'As it was written.', examples: [3] }),
    claim: z
      .string()
      .nullable()
      .meta({ examples: ['Keys are rotated every day.'] }),
    outcome: z.enum(['kept', 'moved', 'dropped']).meta({
      description:
        '`moved`: kept under another number, since those of the answer run from 1 over what is cited.',
    }),
    became: z
      .int()
      .nullable()
      .meta({ description: 'Its number in the answer.', examples: [1] }),
    reason: z
      .enum(['not_offered', 'not_supported'])
      .nullable()
      .meta({
        description:
          'Why it was dropped: there was no excerpt of that number, or the excerpt does not say what the sentence does.',
        examples: [null],
      }),
  })
  .meta({
    id: 'CitationCheck',
    description: 'What became of one `[n]` that the writer put behind a sentence.',
  })

export const TraceStep = z
  .object({ name: z.string().meta({ examples: ['retrieve-chunks'] }), ms: z.number().min(0) })
  .meta({ id: 'TraceStep', examples: [{ name: 'retrieve-chunks', ms: 14.2 }] })

const traceFields = {
  query: z.string().meta({ examples: ['How do I rotate an API key?'] }),
  rewritten_query: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  earlier: z
    .array(z.object({ query: z.string(), answer: z.string().nullable() }))
    .meta({ description: 'Earlier turns that were looked at, as a model sees them.', examples: [[]] }),
  scope: z
    .object({
      top_k: z.int(),
      source_group_ids: z.array(z.string()).nullable().meta({ description: 'Null for all of them.' }),
      includes_restricted: z.boolean(),
    })
    .meta({ examples: [{ top_k: 15, source_group_ids: null, includes_restricted: false }] }),
  search_mode: z
    .enum(['hybrid', 'lexical'])
    .nullable()
    .meta({ description: '`lexical`: words alone, without an embedding model.' }),
  retrieved: z.array(RetrievedPassage).meta({ description: 'Best first.' }),
  coverage: CoverageJudgement.nullable(),
  writer: z.enum(['model', 'quotes', 'nobody']).nullable().meta({
    description:
      '`quotes`: sentences of the pages, word for word. `nobody`: the reader was told that it is not covered.',
  }),
  model: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  instructions: z
    .string()
    .nullable()
    .meta({
      description: 'What the model was told to do, to the letter: the rules, and the wishes of the owner.',
      examples: [null],
    }),
  evidence: z.array(ShownEvidence),
  written: z
    .string()
    .nullable()
    .meta({ description: 'The answer as it was written.', examples: ['Keys rotate daily [3].'] }),
  citation_checks: z.array(CitationCheck),
  answer: z
    .string()
    .nullable()
    .meta({ description: 'The answer after the checks.', examples: ['Keys rotate daily [1].'] }),
  citations: z.array(Citation),
  covered: z.boolean(),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .meta({ examples: [0.86] }),
  stopped_by: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  withheld: z.boolean().meta({
    description: 'True when the answer drew on pages that you may not read: its texts are null then.',
    examples: [false],
  }),
  steps: z.array(TraceStep).meta({ description: 'Time of each step, in their order.' }),
  first_ms: Milliseconds,
  total_ms: Milliseconds,
}

/** Everything that is known of how an answer came about. */
export const AnswerSteps = z
  .object(traceFields)
  .meta({ id: 'AnswerSteps', description: 'How an answer came about, step by step.' })

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
    description: 'How the answer of a message came about, step by step. Its id is that of the message.',
  })

export type Trace = z.infer<typeof Trace>

const PageName = z.object({ document_id: idOf('document'), title: Title, url: Url })
const PageDifference = z
  .object({ kept: z.int().min(0), gone: z.array(PageName), added: z.array(PageName) })
  .meta({
    id: 'PageDifference',
    description: 'Pages that both have, only the answer of then, and only that of now.',
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
          .meta({ description: 'Null where it is the same.', examples: [null] }),
        answer: z.boolean().meta({ description: 'Whether the text is another.' }),
      })
      .meta({ id: 'ReplayDifferences' }),
  })
  .meta({ id: 'Replay', description: 'An answer of then beside the answer of now.' })

export type Replay = z.infer<typeof Replay>

const about = {
  caller: 'access-token',
  room: 'answers/traces',
  group: 'Conversations',
  scope: 'config',
  permission: 'config',
  params: OneRecord,
} as const

export const TRACE_ENDPOINTS = declareEndpoints({
  getTrace: {
    ...about,
    method: 'GET',
    path: '/api/v1/messages/{id}/trace',
    summary: 'See how an answer came about',
    description:
      'The question, what was searched for, what was found with its scores, what the writer was shown, what it wrote, and what became of each citation.\n\nPages that are not public are withheld from people who may not chat in the knowledge base. What AI tools reported as wrong or missing belongs to no single answer: it is listed at `/api/v1/knowledge-bases/{id}/reports`.',
    answer: { status: 200, body: Trace },
  },
  replayMessage: {
    ...about,
    method: 'POST',
    path: '/api/v1/messages/{id}/replay',
    summary: 'Ask a question once more',
    description:
      'The same question, in the same scope and after the same earlier turns, answered with the pages and settings of now. The answer is not kept, does not count against the allowance, and is told to nobody else. A question that was allowed restricted pages needs the permission Chat as well.',
    body: z.strictObject({}).meta({ id: 'ReplayMessage', examples: [{}] }),
    isBodyOptional: true,
    answer: { status: 200, body: Replay },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
