import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, PageUrl, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'
import { Surface } from './surfaces.ts'

const limits = LIMITS.analytics
const Count = z
  .int()
  .min(0)
  .meta({ examples: [12] })
const Rate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ description: 'A part of 1. Null where there is nothing to take a part of.', examples: [0.86] })
const Day = z.iso.date({ error: 'must be a day such as 2026-03-09' }).meta({ examples: ['2026-03-09'] })

const Ratings = z
  .object({ up: Count, down: Count, up_rate: Rate })
  .meta({ id: 'RatingCounts', examples: [{ up: 9, down: 3, up_rate: 0.75 }] })

const Percentiles = z
  .object({ p50: z.number().min(0).nullable(), p95: z.number().min(0).nullable() })
  .meta({ id: 'Percentiles', description: 'Milliseconds.', examples: [{ p50: 412, p95: 1_930 }] })

const figures = {
  questions: Count.meta({ description: 'Also those whose answer was cut off.' }),
  conversations: Count,
  finished: Count.meta({ description: 'Whole answers: neither left by their reader nor failed.' }),
  not_covered: Count.meta({ description: 'Whole answers that say that the question is not covered.' }),
  covered_rate: Rate.meta({ description: 'Of the whole answers.' }),
  ratings: Ratings,
  first_ms: Percentiles.meta({ description: 'Milliseconds to the first piece of an answer.' }),
  total_ms: Percentiles.meta({ description: 'Milliseconds to the end of an answer.' }),
}

const Figures = z.object(figures).meta({ id: 'AnswerFigures' })

const BySurface = z.partialRecord(Surface, Count).meta({
  description: 'Every surface that has a question in the range.',
  examples: [{ api: 3, widget: 9 }],
})

const DayFigures = z
  .object({
    day: Day,
    questions: Count,
    by_surface: BySurface,
    not_covered: Count,
    covered_rate: Rate,
    ratings: Ratings,
  })
  .meta({ id: 'DayFigures' })

const AskedQuestion = z
  .object({
    message_id: idOf('message'),
    conversation_id: idOf('conversation'),
    query: z.string().meta({ examples: ['Can I rotate a key by hand?'] }),
    covered: z.boolean().nullable().meta({ description: 'Null where the answer was cut off.' }),
    vote: z.enum(['up', 'down']).nullable(),
    comment: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    asked_at: Timestamp,
  })
  .meta({ id: 'AskedQuestion' })

const MessageIds = z
  .array(z.uuid())
  .max(limits.messageIds)
  .meta({ description: `The last asked first, at most ${limits.messageIds}.` })

const TopQuestion = z
  .object({
    label: z.string().meta({
      description: 'The question that is most like all of them.',
      examples: ['How do I rotate a key?'],
    }),
    count: Count.meta({ description: 'How often something like it was asked.' }),
    not_covered: Count,
    ratings: Ratings,
    last_asked_at: Timestamp,
    examples: z.array(z.string()).meta({ description: 'Other words that it was asked in.' }),
    message_ids: MessageIds,
  })
  .meta({ id: 'TopQuestion', description: 'Questions that ask the same.' })

const TopPage = z
  .object({
    document_id: idOf('document'),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl,
    answers: Count.meta({ description: 'Answers that cite it.' }),
    rated_down: Count.meta({ description: 'Those of them that were rated down.' }),
  })
  .meta({ id: 'TopPage' })

const KnowledgeGap = z
  .object({
    label: z.string().meta({
      description: 'The question that is most like all of them.',
      examples: ['Can I rotate a key by hand?'],
    }),
    count: Count.meta({ description: 'Questions in it, repeated ones included.' }),
    not_covered: Count,
    rated_down: Count,
    first_asked_at: Timestamp,
    last_asked_at: Timestamp,
    examples: z.array(AskedQuestion).meta({
      description: `Up to ${limits.examples}, the ones that are most like the others first, no two of the same words.`,
    }),
    message_ids: MessageIds,
  })
  .meta({
    id: 'KnowledgeGap',
    description: 'Questions about one thing whose answers were not covered, or were rated down.',
  })

export const Analytics = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    from: Day,
    to: Day,
    totals: Figures,
    before: Figures.meta({ description: 'The same of as many days before `from`, to compare with.' }),
    surfaces: z.array(
      z
        .object({
          surface: Surface,
          questions: Count,
          not_covered: Count,
          covered_rate: Rate,
          ratings: Ratings,
        })
        .meta({ id: 'SurfaceFigures' }),
    ),
    days: z.array(DayFigures).meta({ description: 'Every day from `from` to `to`, in UTC.' }),
    top_questions: z.array(TopQuestion).meta({ description: 'Most asked first.' }),
    top_pages: z
      .array(TopPage)
      .meta({ description: 'Pages by the answers that cite them, those that are still there.' }),
    deflection: z
      .object({
        answered: Count.meta({ description: 'Support forms that were given an answer.' }),
        deflected: Count,
        submitted: Count,
        deflection_rate: Rate.meta({ description: 'Of those whose outcome is known.' }),
      })
      .meta({ id: 'DeflectionFigures', description: 'What became of support forms.' }),
    reports: z
      .object({
        count: Count.meta({ description: 'Wrong answers and gaps that AI tools reported over MCP.' }),
        pages: z
          .array(
            z
              .object({
                url: PageUrl,
                reports: Count,
              })
              .meta({ id: 'ReportedPage' }),
          )
          .meta({ description: `Pages that they name, most reported first, at most ${limits.topPages}.` }),
      })
      .meta({ id: 'ReportFigures', description: 'Read them at `/knowledge-bases/{id}/reports`.' }),
    knowledge_gaps: z.array(KnowledgeGap).meta({ description: 'The largest first.' }),
    bounds: z
      .object({
        grouped_questions: Count.meta({
          description: 'Questions that `top_questions` were made of: the last asked.',
        }),
        all_questions: z.boolean().meta({ description: 'False when there were more of them.' }),
        grouped_gaps: Count.meta({
          description: 'Questions that `knowledge_gaps` were made of: the last asked.',
        }),
        all_gaps: z.boolean(),
        compared_by: z.enum(['meaning', 'words']).meta({
          description: 'How questions were compared: by the embedding model, or without one by their words.',
        }),
      })
      .meta({ id: 'AnalyticsBounds', description: 'How much was looked at.' }),
  })
  .meta({ id: 'Analytics', description: 'What was asked in a time, and how well it was answered.' })

export type Analytics = z.infer<typeof Analytics>

export const AnalyticsQuery = z.object({
  from: Day.optional().meta({
    description: `First day, in UTC. ${limits.defaultDays} days up to \`to\` where it is left out.`,
  }),
  to: Day.optional().meta({ description: 'Last day, in UTC. Today where it is left out.' }),
})

export const ANALYTICS_ENDPOINTS = declareEndpoints({
  getAnalytics: {
    caller: 'access-token',
    room: 'answers/analytics',
    group: 'Conversations',
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/analytics',
    summary: 'See what was asked, and how well it was answered',
    description: `Days are days in UTC, and a range has at most ${limits.mostDays} of them. Questions are grouped by likeness: the last ${limits.groupedQuestions.toLocaleString('en')} of the range for \`top_questions\`, and the last ${limits.groupedQuestions.toLocaleString('en')} that were not covered or rated down for \`knowledge_gaps\`.`,
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    query: AnalyticsQuery,
    answer: { status: 200, body: Analytics },
  },
})
