import { EVENT_DATA } from '@citewell/contract/events'
import { z } from 'zod'
import { findPublicAnswers } from '../../answers/conversations/conversations.ts'
import { parseJson } from '../../kernel/json.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** What is read of a delivery. */
interface Delivery {
  knowledge_base_id: string
  event: string
  body: string
}

const OfAnswer = z.looseObject({ data: EVENT_DATA['conversation.completed'] })

/** The message of a delivery with an excerpt, and the same body without the excerpt. */
function answerIn({ event, body }: Delivery): { messageId: string; withheld: string } | undefined {
  if (event !== 'conversation.completed') return undefined
  const told = parseJson(body)
  const data = OfAnswer.safeParse(told).data?.data
  if (data === undefined || data.answer_excerpt === '') return undefined
  // The fields keep their order.
  const withheld = JSON.stringify({ ...(told as object), data: { ...data, answer_excerpt: '' } })
  return { messageId: data.message_id, withheld }
}

/**
 * Deliveries without the excerpts of answers that used a page which is not public now: it may have become restricted, or have been
 * deleted, since the event was recorded.
 */
export async function withholdExcerpts<Row extends Delivery>(
  db: Db<'messages' | 'documents'>,
  deliveries: readonly Row[],
): Promise<Row[]> {
  const told = deliveries.map((delivery) => [delivery, answerIn(delivery)] as const)
  const publicAnswers = await findPublicAnswers(
    db,
    told.flatMap(([{ knowledge_base_id: knowledgeBaseId }, answer]) =>
      answer === undefined ? [] : [{ knowledgeBaseId, messageId: answer.messageId }],
    ),
  )
  return told.map(([delivery, answer]) =>
    answer === undefined || publicAnswers.has(answer.messageId)
      ? delivery
      : { ...delivery, body: answer.withheld },
  )
}
