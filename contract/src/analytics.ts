import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET } from './endpoint.ts'
import { idOf, nullableText, PageUrl, Timestamp, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'
import { Surface } from './surfaces.ts'

const limits = LIMITS.analytics
const Count = wholeNumber(12)
const Rate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ description: 'A fraction from 0 to 1. Null if there is nothing to count.', examples: [0.86] })
const Day = z.iso.date({ error: 'must be a day such as 2026-03-09' }).meta({ examples: ['2026-03-09'] })

const Ratings = z
  .object({ up: Count, down: Count, up_rate: Rate })
  .meta({ id: 'RatingCounts', examples: [{ up: 9, down: 3, up_rate: 0.75 }] })

const Percentiles = z
  .object({ p50: z.number().min(0).nullable(), p95: z.number().min(0).nullable() })
  .meta({ id: 'Percentiles', description: 'Milliseconds.', examples: [{ p50: 412, p95: 1_930 }] })

const Finished = Count.describe('Complete answers: neither cancelled by the reader nor failed.')

const figures = {
  questions: Count.describe('Including those whose answer was cut off.'),
  conversations: Count,
  finished: Finished,
  not_covered: Count.describe('Complete answers which say that the question is not covered.'),
  covered_rate: Rate.describe('Fraction of the complete answers.'),
  ratings: Ratings,
  first_ms: Percentiles.describe('Milliseconds to the first piece of an answer.'),
  total_ms: Percentiles.describe('Milliseconds to the end of an answer.'),
}

const Figures = z.object(figures).meta({ id: 'AnswerFigures' })

const BySurface = z.partialRecord(Surface, Count).meta({
  description: 'Every surface with a question in the range.',
  examples: [{ api: 3, widget: 9 }],
})

const DayFigures = z
  .object({
    day: Day,
    questions: Count,
    by_surface: BySurface,
    finished: Finished,
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
    covered: z.boolean().nullable().describe('Null if the answer was cut off.'),
    vote: z.enum(['up', 'down']).nullable(),
    comment: nullableText(),
    asked_at: Timestamp,
  })
  .meta({ id: 'AskedQuestion' })

const MessageIds = z
  .array(z.uuid())
  .max(limits.messageIds)
  .describe(`The most recent first, at most ${limits.messageIds}.`)

const TopQuestion = z
  .object({
    label: z.string().meta({
      description: 'The most typical of these questions.',
      examples: ['How do I rotate a key?'],
    }),
    count: Count.describe('How often it or a similar question was asked.'),
    not_covered: Count,
    ratings: Ratings,
    last_asked_at: Timestamp,
    examples: z.array(z.string()).describe('Other wordings of the question.'),
    message_ids: MessageIds,
  })
  .meta({ id: 'TopQuestion', description: 'Questions with the same meaning.' })

const TopPage = z
  .object({
    document_id: idOf('document'),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl,
    answers: Count.describe('Answers that cite it.'),
    rated_down: Count.describe('Those of them that were rated down.'),
  })
  .meta({ id: 'TopPage' })

export const KnowledgeGap = z
  .object({
    id: idOf('knowledge gap'),
    status: z.enum(['open', 'resolved', 'dismissed']).meta({ examples: ['open'] }),
    label: z.string().meta({
      description: 'The most typical of these questions.',
      examples: ['Can I rotate a key by hand?'],
    }),
    count: Count.describe('Questions in the group, including repetitions.'),
    not_covered: Count,
    rated_down: Count,
    first_asked_at: Timestamp,
    last_asked_at: Timestamp,
    examples: z
      .array(AskedQuestion)
      .describe(`Up to ${limits.examples}, the most typical first, without duplicates.`),
    message_ids: MessageIds,
  })
  .meta({
    id: 'KnowledgeGap',
    description: 'Questions about one topic whose answers were not covered, or were rated down.',
  })

export const Analytics = z
  .object({
    knowledge_base_id: idOf('knowledge base'),
    from: Day,
    to: Day,
    totals: Figures,
    before: Figures.describe('The same for an equal number of days before `from`, for comparison.'),
    surfaces: z.array(
      z
        .object({
          surface: Surface,
          questions: Count,
          finished: Finished,
          not_covered: Count,
          covered_rate: Rate,
          ratings: Ratings,
        })
        .meta({ id: 'SurfaceFigures' }),
    ),
    days: z.array(DayFigures).describe('Every day from `from` to `to`, in UTC.'),
    top_questions: z.array(TopQuestion).describe('Most asked first.'),
    top_pages: z.array(TopPage).describe('Pages that still exist, by the number of answers that cite them.'),
    deflection: z
      .object({
        answered: Count.describe('Support forms that got an answer.'),
        deflected: Count,
        submitted: Count,
        deflection_rate: Rate.describe('Fraction of those with a known outcome.'),
      })
      .meta({ id: 'DeflectionFigures', description: 'Outcomes of support forms.' }),
    reports: z
      .object({
        count: Count.describe('Wrong answers and gaps that AI tools reported over MCP.'),
        pages: z
          .array(z.object({ url: PageUrl, reports: Count }).meta({ id: 'ReportedPage' }))
          .describe(`Pages named in the reports, most reported first, at most ${limits.topPages}.`),
      })
      .meta({
        id: 'ReportFigures',
        description: 'The reports are listed at `/knowledge-bases/{id}/reports`.',
      }),
    knowledge_gaps: z.array(KnowledgeGap).describe('Largest first.'),
    bounds: z
      .object({
        grouped_questions: Count.describe(
          'Number of most recent questions that `top_questions` are based on.',
        ),
        all_questions: z.boolean().describe('False if there were more.'),
        grouped_gaps: Count.describe('Number of most recent questions that `knowledge_gaps` are based on.'),
        all_gaps: z.boolean(),
        compared_by: z
          .enum(['meaning', 'words'])
          .describe(
            'How questions were compared: by the embedding model, or by their words if there is no model.',
          ),
      })
      .meta({ id: 'AnalyticsBounds', description: 'How much data the figures are based on.' }),
  })
  .meta({ id: 'Analytics', description: 'What was asked in a period, and how well it was answered.' })

export type Analytics = z.infer<typeof Analytics>

export const AnalyticsQuery = z.object({
  from: Day.optional().describe(`First day, in UTC. ${limits.defaultDays} days up to \`to\` if omitted.`),
  to: Day.optional().describe('Last day, in UTC. Today if omitted.'),
})

export const ANALYTICS_ENDPOINTS = declareEndpoints({
  getAnalytics: {
    caller: 'access-token',
    room: 'answers/analytics',
    group: 'Conversations',
    ...GET('/api/v1/knowledge-bases/{id}/analytics'),
    summary: 'See what was asked, and how well it was answered',
    description: `Days are days in UTC, and a range has at most ${limits.mostDays} of them. Questions are grouped by similarity: the last ${limits.groupedQuestions.toLocaleString('en')} of the range for \`top_questions\`, and the last ${limits.groupedQuestions.toLocaleString('en')} that were not covered or rated down for \`knowledge_gaps\`.`,
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    query: AnalyticsQuery,
    answer: { status: 200, body: Analytics },
  },
})
