import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { idOf, nullableText, PageUrl, recordFields, text, Timestamp, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import { PartOf as Part } from './part-of.ts'
import { recordEndpoints } from './record-endpoints.ts'

const limits = LIMITS.evaluation

const Count = wholeNumber(40)

const Question = text(1, limits.question).meta({ examples: ['How do I rotate an API key?'] })

const Address = text(1, 2_048)
const Urls = z
  .array(Address)
  .max(limits.urls)
  .meta({
    description:
      'The pages that answer it: one of them is enough. The part after `#` is ignored. Empty if no page is expected.',
    examples: [['https://docs.example.com/keys']],
  })

const Answerable = z.boolean().meta({
  description: 'False for a question that the documentation does not cover, and that must be refused.',
  examples: [true],
})

export const EvaluationQuestion = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    question: Question,
    urls: Urls,
    answerable: Answerable,
  })
  .meta({
    id: 'EvaluationQuestion',
    description: 'A question of the evaluation set of a knowledge base, with what should come out.',
  })

export type EvaluationQuestion = z.infer<typeof EvaluationQuestion>

export const NewEvaluationQuestion = z
  .strictObject({ question: Question, urls: Urls.default([]), answerable: Answerable.default(true) })
  .meta({
    id: 'NewEvaluationQuestion',
    examples: [{ question: 'How do I rotate an API key?', urls: ['https://docs.example.com/keys'] }],
  })

export type NewEvaluationQuestion = z.infer<typeof NewEvaluationQuestion>

export const EvaluationQuestionChange = z
  .strictObject({ question: Question, urls: Urls, answerable: Answerable })
  .partial()
  .meta({ id: 'EvaluationQuestionChange', examples: [{ answerable: false }] })

export type EvaluationQuestionChange = z.infer<typeof EvaluationQuestionChange>

export const ImportEvaluationQuestions = z
  .strictObject({
    format: z
      .enum(['jsonl', 'csv', 'ratings'])
      .describe(
        '`jsonl`: a JSON object a line, with `question`, and `url` or `urls`, or `"answerable": false`. `csv`: a line of column names (`question`, `url`, `answerable`), then a line for each question; several addresses are separated by spaces. `ratings`: the questions whose answers were rated up, with the pages that they cite; no `text`.',
      ),
    text: z.string().max(limits.importCharacters).default('').describe('The text of the file.'),
  })
  .meta({
    id: 'ImportEvaluationQuestions',
    examples: [
      { format: 'csv', text: 'question,url\nHow do I rotate a key?,https://docs.example.com/keys\n' },
    ],
  })

export type ImportEvaluationQuestions = z.infer<typeof ImportEvaluationQuestions>

export const ImportedEvaluationQuestions = z
  .object({
    added: Count,
    known: Count.describe('Those that were in the set already; they are not changed.'),
    total: Count.describe('How many questions the set has now.'),
  })
  .meta({ id: 'ImportedEvaluationQuestions' })

export type ImportedEvaluationQuestions = z.infer<typeof ImportedEvaluationQuestions>

export const EvaluationFigures = z
  .object({
    hit1: Part.describe('A page that answers was found first; of questions that name a page.'),
    hit5: Part.describe('It was among the first five pages.'),
    cited: Part.describe('The answer cites it.'),
    covered: Part.describe('Answerable questions that were answered.'),
    refused_rightly: Part.describe('Questions that are not answerable, and were refused.'),
    failed: Count.describe('Questions whose answer failed. They count in no other figure.'),
  })
  .meta({ id: 'EvaluationFigures' })

export const Evaluation = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ examples: ['running'] }),
    total: Count.describe('Questions of the set when it was started.'),
    completed: Count.describe('Questions that were asked.'),
    figures: EvaluationFigures.describe('Of the questions that were asked so far.'),
    error: nullableText(),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({
    id: 'Evaluation',
    description: 'A run of the evaluation set: every question was asked as a reader would.',
  })

export type Evaluation = z.infer<typeof Evaluation>

const outcome = {
  rank: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: 'Place of the first page that answers, from 1. Null if it is not among the first ten.',
      examples: [1],
    }),
  covered: z.boolean().nullable().describe('Null if it was not asked, or failed.'),
  cited: z.boolean().nullable().describe('Whether the answer cites a page that answers.'),
}

const EarlierOutcome = z.object(outcome).meta({ id: 'EarlierOutcome' })

export const EvaluationResult = z
  .object({
    question: Question,
    urls: Urls,
    answerable: Answerable,
    ...outcome,
    status: z.enum(['waiting', 'right', 'wrong', 'failed']).meta({
      description:
        'Right: an answerable question was answered, and its page found among the first five; any other was refused.',
      examples: ['right'],
    }),
    found: z
      .array(z.object({ title: z.string(), url: PageUrl }).meta({ id: 'FoundPage' }))
      .describe('The first five pages that were found, those that you may read.'),
    before: EarlierOutcome.nullable().describe(
      'Of the same question in the run that it is compared with. Null if it was not in it.',
    ),
    change: z.enum(['better', 'worse', 'same', 'new']).meta({
      description: 'Against the run that it is compared with: from wrong to right, or a better rank.',
      examples: ['same'],
    }),
  })
  .meta({ id: 'EvaluationResult', description: 'What came out for one question.' })

export type EvaluationResult = z.infer<typeof EvaluationResult>

export const EvaluationDetail = Evaluation.extend({
  results: z.array(EvaluationResult),
  compared_with: Evaluation.nullable().describe(
    'The run that `before` and `change` refer to. Null: there is no earlier one.',
  ),
}).meta({ id: 'EvaluationDetail', description: 'A run with its results, compared with another one.' })

export type EvaluationDetail = z.infer<typeof EvaluationDetail>

const about = { caller: 'access-token', room: 'answers/evaluation', group: 'Evaluation' } as const
const reading = CALLED_BY.configurers

const questions = recordEndpoints({
  room: about.room,
  group: about.group,
  path: 'evaluation-questions',
  record: EvaluationQuestion,
  page: pageOf(EvaluationQuestion, 'EvaluationQuestionPage'),
  reading,
})

const runs = recordEndpoints({
  room: about.room,
  group: about.group,
  path: 'evaluations',
  record: Evaluation,
  page: pageOf(Evaluation, 'EvaluationPage'),
  reading,
})

export const EVALUATION_ENDPOINTS = declareEndpoints({
  listEvaluationQuestions: questions.list({
    summary: 'List the questions of the evaluation set',
    description: 'Last added first.',
  }),
  createEvaluationQuestion: questions.create({
    summary: 'Add a question to the evaluation set',
    description: `A knowledge base has at most ${limits.questions} of them.`,
    body: NewEvaluationQuestion,
  }),
  importEvaluationQuestions: {
    ...about,
    ...reading,
    ...POST('/api/v1/knowledge-bases/{id}/evaluation-questions/import'),
    summary: 'Add questions to the evaluation set, from a file or from ratings',
    description: `All of them or none. A question that is in the set already is left as it is. A knowledge base has at most ${limits.questions} questions; of ratings, as many as there is room for.`,
    params: InKnowledgeBase,
    body: ImportEvaluationQuestions,
    answer: { status: 200, body: ImportedEvaluationQuestions },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  updateEvaluationQuestion: questions.change({
    summary: 'Change a question of the evaluation set',
    body: EvaluationQuestionChange,
  }),
  deleteEvaluationQuestion: questions.remove({ summary: 'Delete a question of the evaluation set' }),
  listEvaluations: runs.list({ summary: 'List the evaluations', description: 'Newest first.' }),
  createEvaluation: {
    ...about,
    ...reading,
    ...POST('/api/v1/knowledge-bases/{id}/evaluations'),
    summary: 'Run the evaluation set',
    description: `Asks every question of the set in the background, as readers of a public page ask; of an internal base, as its members do. Nothing is stored as a conversation, and nothing counts against the quota or in the analytics; a language model is called. One run of a base at a time; the last ${limits.runs} are kept.`,
    params: InKnowledgeBase,
    answer: { status: 202, body: Evaluation },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  getEvaluation: {
    ...about,
    ...reading,
    ...GET('/api/v1/evaluations/{id}'),
    summary: 'Read an evaluation, compared with another one',
    params: OneRecord,
    query: z.object({
      against: idOf('evaluation to compare with')
        .optional()
        .describe(
          'An evaluation of the same knowledge base. The last one that succeeded before it if omitted.',
        ),
    }),
    answer: { status: 200, body: EvaluationDetail },
  },
  cancelEvaluation: {
    ...about,
    ...reading,
    ...POST('/api/v1/evaluations/{id}/cancel'),
    summary: 'Cancel an evaluation',
    description: 'Results so far are kept. A finished evaluation is not changed.',
    params: OneRecord,
    answer: { status: 200, body: Evaluation },
  },
  deleteEvaluation: runs.remove({ summary: 'Delete an evaluation' }),
})
