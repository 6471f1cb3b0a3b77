import { z } from 'zod'
import type { Db } from '../../platform/storage/tables.ts'
import { hasIntegration } from '../integrations/integrations.ts'
import type { NewPost, PostEnd } from '../platform-posts/platform-posts.ts'
import { deleteHandOver } from './chat-bots-store.ts'

/** Goes with the post that tells a person: what the one who asked reads when it ended, in the platform's own form. */
const HandOverNote = z.object({
  about: z.literal('hand_over'),
  knowledgeBaseId: z.string(),
  /** Of the bot. The post that tells a person may be one of a help desk. */
  integrationId: z.string(),
  conversation: z.string(),
  lane: z.string(),
  passedOn: z.array(z.unknown()),
  notPassedOn: z.array(z.unknown()),
  uncertain: z.array(z.unknown()),
})

export type HandOverNote = z.infer<typeof HandOverNote>

/** Who asked for a person is told what became of it. If nobody was told, they can ask again. */
export async function handOverEnded(
  transaction: Db<'platform_hand_overs' | 'integrations' | 'knowledge_bases' | 'workspaces'>,
  note: unknown,
  end: PostEnd,
): Promise<NewPost[]> {
  const of = HandOverNote.safeParse(note).data
  if (of === undefined) return []
  const { knowledgeBaseId, integrationId, lane } = of
  // The post that told the team may outlive the bot. Locked: nothing can be posted for what is deleted meanwhile.
  const bot = { knowledgeBaseId, id: integrationId, kind: 'bot' as const }
  if (!(await hasIntegration(transaction, bot, { locks: true }))) return []
  const isLost = end === 'failed' || end === 'stale'
  if (isLost) await deleteHandOver(transaction, of)
  const bodies = end === 'posted' ? of.passedOn : isLost ? of.notPassedOn : of.uncertain
  const keepsProblem = end !== 'posted'
  return bodies.map((body) => ({ knowledgeBaseId, integrationId, lane, body, keepsProblem }))
}
