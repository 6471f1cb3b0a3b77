import { LIMITS } from '@citewell/contract/limits'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { fileOfRows, type ExportFormat, type ExportRow } from '../../kernel/file-of-rows.ts'
import type { Analytics } from '../analytics/analytics.ts'
import type { AskedFilter, StoredConversations } from '../conversations/conversations.ts'

export interface ExportsDeps {
  conversations: Pick<StoredConversations, 'listMessages'>
  analytics: Pick<Analytics, 'figuresByDay'>
}

const CONVERSATION_COLUMNS = [
  'asked_at',
  'conversation_id',
  'message_id',
  'surface',
  'user',
  'question',
  'answer',
  'cited_urls',
  'covered',
  'confidence',
  'vote',
  'comment',
  'stopped_by',
  'first_ms',
  'total_ms',
] as const

const FIGURE_COLUMNS = ['day', 'surface', 'questions', 'not_covered', 'covered_rate', 'up', 'down'] as const

/** Files of what a team sees, for members with Config on the base. */
export function createExports({ conversations, analytics }: ExportsDeps) {
  /** A row for each question. `isCut`: there were more than fit. */
  async function ofConversations(
    caller: Caller,
    knowledgeBaseId: string,
    given: { filter: AskedFilter; format: ExportFormat },
  ): Promise<{ text: string; isCut: boolean }> {
    const most = LIMITS.exports.rows
    const found = await conversations.listMessages(caller, knowledgeBaseId, {
      filter: given.filter,
      limit: most + 1,
    })
    const rows = found.slice(0, most).map((row): ExportRow<typeof CONVERSATION_COLUMNS> => ({
      asked_at: row.created_at.toISOString(),
      conversation_id: row.thread_id,
      message_id: row.id,
      surface: row.surface,
      user: row.user_ref,
      question: row.query,
      answer: row.isWithheld ? null : row.answer,
      cited_urls: row.isWithheld ? null : row.citedUrls.join(' '),
      covered: row.stopped_by === null ? row.covered : null,
      confidence: row.confidence,
      vote: row.vote,
      comment: row.comment,
      stopped_by: row.stopped_by,
      first_ms: row.first_ms,
      total_ms: row.total_ms,
    }))
    return { text: fileOfRows(CONVERSATION_COLUMNS, rows, given.format), isCut: found.length > most }
  }

  /** A row for each day and surface with a question. @throws Refusal BAD_REQUEST as the analytics */
  async function ofAnalytics(
    caller: Caller,
    knowledgeBaseId: string,
    given: { from: string | undefined; to: string | undefined; format: ExportFormat },
  ): Promise<string> {
    const figures = await analytics.figuresByDay(caller, knowledgeBaseId, given)
    const rows = figures.map((row): ExportRow<typeof FIGURE_COLUMNS> => ({
      day: row.day,
      surface: row.surface,
      questions: row.questions,
      not_covered: row.not_covered,
      covered_rate: row.covered_rate,
      up: row.up,
      down: row.down,
    }))
    return fileOfRows(FIGURE_COLUMNS, rows, given.format)
  }

  return { ofConversations, ofAnalytics }
}

export type Exports = ReturnType<typeof createExports>
