import { startFakeReceiver } from '../fake-webhook-receiver.ts'
import { startCrashProxy } from './crash-moments.ts'
import { endOf, type CrashingPlatform } from './crashing-platform.ts'

/** An action that a person approves, and the program that carries it out: its requests are the answers. */
export async function agentApp(): Promise<CrashingPlatform> {
  const receiver = await startFakeReceiver()
  const proxy = await startCrashProxy(receiver.origin)
  let asked = 0
  const key = () => `order-${asked}`
  return {
    proxy,
    noun: 'agent-apps',
    fields: {
      config: { actions: [{ name: 'refund', url: `${proxy.origin}/refund` }] },
      credentials: { signing_secret: 'agent-secret' },
    },
    ask: async () => {
      asked += 1
    },
    // Whoever got no answer proposes it again, and approves it again: the second decision is refused.
    tell: async (citewell, id) => {
      const agent = await citewell.json<{ knowledge_base_id: string }>('GET', `/api/v1/agent-apps/${id}`)
      const path = `/api/v1/knowledge-bases/${agent.knowledge_base_id}/approvals`
      const proposed = await citewell.json<{ id: string }>('POST', path, {
        agent_id: id,
        kind: 'action',
        title: 'Refund',
        content: 'Pay back 20 €.',
        action: { name: 'refund', input: { order: key() } },
        dedupe_key: key(),
      })
      await citewell.send('PATCH', `/api/v1/approvals/${proposed.id}`, { decision: 'approved' })
    },
    tellsAgain: true,
    answers: () => receiver.received.filter(({ body }) => body.toString().includes(`"${key()}"`)).length,
    [Symbol.asyncDispose]: endOf(proxy, receiver),
  }
}
