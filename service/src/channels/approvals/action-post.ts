import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { openCredentials, type IntegrationRow } from '../integrations/integrations.ts'
import {
  outcomeOfFault,
  retryAfterMs,
  type NewPost,
  type PlatformPostsDb,
  type PostDriver,
  type PostEnd,
  type PostOutcome,
} from '../platform-posts/platform-posts.ts'
import { webhookHeaders } from '../webhooks/webhooks.ts'
import { noteExecution, type ApprovalRow } from './approvals-store.ts'
import { declaredActions } from './declared-actions.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 65_536

const ActionPost = z.object({
  approvalId: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  content: z.string(),
})

/** An approved action, to be recorded in the transaction of its decision. */
export const actionPost = (row: ApprovalRow): NewPost => ({
  knowledgeBaseId: row.knowledge_base_id,
  integrationId: row.agent_id,
  lane: row.id,
  body: {
    approvalId: row.id,
    name: row.action_name,
    input: row.action_input,
    content: row.edited_content ?? row.content,
  },
})

const UNCONFIRMED = 'Its address did not confirm it: it may have been carried out, so it was not sent again.'

const EXECUTIONS: Record<PostEnd, 'done' | 'failed' | 'unknown'> = {
  posted: 'done',
  failed: 'failed',
  stale: 'failed',
  unknown: 'unknown',
}

const NOTES: Record<PostEnd, string | null> = {
  posted: null,
  failed: 'It was not carried out: the record of the agent app says why.',
  stale: 'It was not carried out.',
  unknown: UNCONFIRMED,
}

/** Carries out approved actions: a POST to the address that the agent app declares, at most once. */
export function createActionPosting({
  sealer,
  outbound,
  now,
}: {
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound'>
  now: () => Date
}) {
  async function send(agent: IntegrationRow, body: unknown, signal: AbortSignal): Promise<PostOutcome> {
    const { approvalId, name, input, content } = ActionPost.parse(body)
    // As it is declared now: an action that was taken back is not carried out.
    const action = declaredActions(agent).find((declared) => declared.name === name)
    if (action === undefined)
      return { is: 'failed', because: `The agent app does not declare the action ${name} any more.` }
    const text = JSON.stringify({ approval_id: approvalId, action: name, input, content })
    const secret = openCredentials(sealer, agent)?.['signing_secret']
    try {
      const response = await outbound.fetchOutbound(action.url, {
        chosenBy: 'customer',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': approvalId,
          ...webhookHeaders({ secret, event: 'action', messageId: approvalId, body: text, at: now() }),
        },
        body: text,
        signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        followRedirects: false,
      })
      const { status, headers } = response
      // Only its status counts. Until its body is read or discarded, it holds a connection.
      await response.discard()
      if (status >= 200 && status < 300) return { is: 'posted', ref: undefined }
      if (status === 429) return { is: 'wait', ms: retryAfterMs(headers, now().getTime()) }
      return status >= 500
        ? { is: 'unknown', because: UNCONFIRMED }
        : { is: 'failed', because: `The address of the action ${name} refused it with status ${status}.` }
    } catch (fault) {
      return outcomeOfFault(fault, { platform: `The address of the action ${name}`, isRepeatable: false })
    }
  }

  async function ended(
    transaction: PlatformPostsDb,
    agent: IntegrationRow,
    body: unknown,
    end: PostEnd,
  ): Promise<undefined> {
    const post = ActionPost.safeParse(body).data
    if (post === undefined) return
    const of = { knowledgeBaseId: agent.knowledge_base_id, id: post.approvalId }
    await noteExecution(transaction, of, { execution: EXECUTIONS[end], note: NOTES[end], now: now() })
  }

  return (integration: IntegrationRow): PostDriver | undefined =>
    integration.kind === 'agent_app' ? { spacingOf: () => 0, send, ended } : undefined
}
