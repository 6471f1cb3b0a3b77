import { PORTAL } from '../src/channels/oauth/oauth.ts'
import { newId, newTicketId } from '../src/kernel/ids.ts'
import type { Records } from './authorization-requests.ts'
import type { TestService } from './start-service.ts'

/** Writes the rows that no request creates: sessions, connected tools, and what the service itself records. */
export function createAuthorizationRows({
  address,
  storage: { db },
}: Pick<TestService, 'address' | 'storage'>) {
  /** A browser in which a member is signed in. */
  async function addSession(userId: string): Promise<string> {
    const id = newId()
    const times = { created_at: new Date(), last_seen_at: new Date() }
    await db
      .insertInto('browser_sessions')
      .values({ id, token_hash: newId(), user_id: userId, ...times })
      .execute()
    return id
  }

  /** An AI tool that a member has connected. */
  async function connectTool(userId: string): Promise<string> {
    const id = newId()
    const grant = { kind: 'Grant', id_hash: id, grant_hash: id, sealed_payload: '' }
    await db
      .insertInto('oauth_records')
      .values({ ...grant, uid_hash: null, consumed_at: null, expires_at: null })
      .execute()
    await db
      .insertInto('connected_tools')
      .values({
        id,
        account_id: `user:${userId}`,
        grant_hash: id,
        server_id: PORTAL.id,
        client_name: 'Editor',
        redirect_host: 'localhost',
        resource: `${address}/mcp/portal`,
        last_used_at: null,
      })
      .execute()
    return id
  }

  /** Records that only the service itself creates. */
  async function insertRows(records: Records, keyId: string, ownerId: string): Promise<void> {
    const base = records['knowledge-bases'] ?? ''
    const times = { created_at: new Date(), updated_at: new Date() }
    const sync = newId()
    const counts = JSON.stringify({
      discovered: 0,
      fetched: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      skipped: 0,
      failed: 0,
    })
    await db
      .insertInto('syncs')
      .values({
        id: sync,
        knowledge_base_id: base,
        source_id: records['sources'] ?? '',
        status: 'succeeded',
        counts,
        warnings: '[]',
        error: null,
        lease: null,
        heartbeat_at: null,
        started_at: new Date(),
        finished_at: new Date(),
        ...times,
      })
      .execute()
    records['source-connections'] = newId()
    await db
      .insertInto('source_connections')
      .values({
        knowledge_base_id: base,
        id: records['source-connections'],
        platform: 'google',
        account: 'docs@example.com',
        status: 'connected',
        ...times,
      })
      .execute()
    const { thread, message } = await insertTurn(base, {
      client_key_id: keyId,
      surface: 'api',
      user_ref: null,
    })
    const ofOwner = { client_key_id: null, surface: 'team', user_ref: ownerId }
    const own = await insertTurn(base, ofOwner)
    const report = newId()
    await db
      .insertInto('mcp_feedback')
      .values({
        id: report,
        knowledge_base_id: base,
        message: 'The page on keys is out of date.',
        url: null,
        server_name: null,
        client_key_id: keyId,
        user_ref: null,
        created_at: new Date(),
      })
      .execute()
    const gap = newId()
    await db
      .insertInto('knowledge_gaps')
      .values({
        knowledge_base_id: base,
        id: gap,
        status: 'open',
        note: null,
        custom_answer_id: null,
        resolved_at: null,
        reopened_at: null,
        ...times,
      })
      .execute()
    await db
      .insertInto('knowledge_gap_questions')
      .values({
        knowledge_base_id: base,
        message_id: message,
        gap_id: gap,
        replay_covered: null,
        replayed_at: null,
      })
      .execute()
    const evaluation = newId()
    await db
      .insertInto('evaluations')
      .values({
        knowledge_base_id: base,
        id: evaluation,
        status: 'succeeded',
        include_restricted: false,
        total: 0,
        error: null,
        lease: null,
        started_at: null,
        finished_at: null,
        ...times,
      })
      .execute()
    const delivery = newId()
    await db
      .insertInto('webhook_deliveries')
      .values({
        id: delivery,
        knowledge_base_id: base,
        trigger_id: records['webhook-triggers'] ?? '',
        thread_id: null,
        message_id: newId(),
        redelivery_of: null,
        event: 'conversation.completed',
        body: '{}',
        origin: 'https://hooks.example.com',
        status: 'failed',
        response_status: 500,
        response_body: null,
        error: null,
        duration_ms: 1,
        attempted_at: new Date(),
        ...times,
      })
      .execute()
    Object.assign(records, {
      syncs: sync,
      conversations: thread,
      threadId: thread,
      messages: message,
      'messages of the owner': own.message,
      'conversations of the owner': own.thread,
      'knowledge-gaps': gap,
      evaluations: evaluation,
      reports: report,
      messageId: message,
      'webhook-deliveries': delivery,
    })
  }

  async function insertTurn(
    base: string,
    asker: { client_key_id: string | null; surface: string; user_ref: string | null },
  ): Promise<{ thread: string; message: string }> {
    const times = { created_at: new Date(), updated_at: new Date() }
    const thread = newTicketId()
    const message = newTicketId()
    const of = { knowledge_base_id: base, ...times }
    await db
      .insertInto('threads')
      .values({ ...of, id: thread, ...asker })
      .execute()
    await db
      .insertInto('messages')
      .values({
        ...of,
        id: message,
        thread_id: thread,
        query: 'How?',
        rewritten_query: null,
        answer: 'So.',
        citations: '[]',
        covered: true,
        confidence: 1,
        stopped_by: null,
        trace: '{}',
      })
      .execute()
    return { thread, message }
  }

  return { addSession, connectTool, insertRows }
}
