import { findIntegrationById, type IntegrationRow } from '../integrations/integrations.ts'
import type { ChatBotsDb } from './chat-bots-store.ts'

/** What is posted to a help desk to open a ticket; undefined if it is not one where tickets are opened. */
export type OpeningPost = (desk: IntegrationRow, given: { subject: string; markdown: string }) => unknown

/** What opens a ticket at a help desk of the base; undefined if none can be opened there. */
export async function openPersonDesk(
  { db, openingPost }: { db: ChatBotsDb; openingPost: OpeningPost },
  { knowledgeBaseId, helpdeskId }: { knowledgeBaseId: string; helpdeskId: string },
  given: { subject: string; markdown: string },
): Promise<{ deskId: string; body: unknown } | undefined> {
  const desk = await findIntegrationById(db, helpdeskId)
  if (desk?.knowledge_base_id !== knowledgeBaseId || !desk.enabled) return undefined
  const body = openingPost(desk, given)
  return body === undefined ? undefined : { deskId: desk.id, body }
}
