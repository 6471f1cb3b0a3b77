import { z } from 'zod'
import { Visibility, Withheld } from './documents.ts'
import { declareEndpoints } from './endpoint.ts'
import { HttpUrl, idOf, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Question = text(1, LIMITS.customQuestion).meta({
  description: 'The question in the words of a reader. It is the title of its citations.',
  examples: ['How do I get a refund?'],
})
const Answer = text(1, LIMITS.customAnswer).meta({
  description: 'Markdown.',
  examples: ['Write to billing@example.com within 30 days.'],
})
const Url = HttpUrl.nullable().meta({
  description: 'Where its citations link. Null: to a page of this service that shows it.',
  examples: [null],
})
const SourceGroupId = idOf('source group')
  .nullable()
  .meta({ description: 'Used only with keys and questions of this group.', examples: [null] })

export const CustomAnswer = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    question: Question,
    answer: Answer.nullable().describe('Markdown. Null if it is withheld.'),
    withheld: Withheld,
    url: Url,
    visibility: Visibility,
    source_group_id: SourceGroupId,
    source_id: idOf('source'),
    document_id: idOf('document').describe('The document that is searched and cited.'),
  })
  .meta({
    id: 'CustomAnswer',
    description: 'A question with a curated answer. It is searched and cited like a document.',
  })

export type CustomAnswer = z.infer<typeof CustomAnswer>

export const NewCustomAnswer = z
  .strictObject({
    question: Question,
    answer: Answer,
    url: Url.default(null),
    visibility: Visibility.default('public'),
    source_group_id: SourceGroupId.default(null),
  })
  .meta({
    id: 'NewCustomAnswer',
    examples: [
      { question: 'How do I get a refund?', answer: 'Write to billing@example.com within 30 days.' },
    ],
  })

export type NewCustomAnswer = z.infer<typeof NewCustomAnswer>

export const CustomAnswerChange = z
  .strictObject({
    question: Question,
    answer: Answer,
    url: Url,
    visibility: Visibility,
    source_group_id: SourceGroupId,
  })
  .partial()
  .meta({ id: 'CustomAnswerChange', examples: [{ answer: 'Write to billing@example.com within 14 days.' }] })

export type CustomAnswerChange = z.infer<typeof CustomAnswerChange>

const answers = recordEndpoints({
  room: 'content/custom-answers',
  group: 'Custom answers',
  path: 'custom-answers',
  record: CustomAnswer,
  page: pageOf(CustomAnswer, 'CustomAnswerPage'),
})

export const CUSTOM_ANSWER_ENDPOINTS = declareEndpoints({
  listCustomAnswers: answers.list({ summary: 'List the custom answers' }),
  createCustomAnswer: answers.create({
    summary: 'Write a custom answer',
    description:
      'It can be found as soon as the call returns. The first one creates a source of the type `custom_answers`, one for each source group.',
    body: NewCustomAnswer,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT', 'PLAN_REQUIRED'],
  }),
  updateCustomAnswer: answers.change({
    summary: 'Change a custom answer',
    description: 'Takes effect from the next question. In an internal knowledge base it stays restricted.',
    body: CustomAnswerChange,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL', 'CONFLICT', 'PLAN_REQUIRED'],
  }),
  deleteCustomAnswer: answers.remove({
    summary: 'Delete a custom answer',
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  }),
})
