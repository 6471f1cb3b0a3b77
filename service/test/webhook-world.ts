import { fakeLlm, startFakeLlm, type FakeLlm } from './fake-llm.ts'
import { startFakeReceiver, type FakeReceiver, type ReceiverAnswer } from './fake-webhook-receiver.ts'
import { framesOf, type Frame } from './start-public-api.ts'
import { startTestService, type TestService } from './start-service.ts'

export interface WebhookBase {
  id: string
  /** Its public client key. */
  key: string
}

export interface WebhookWorld extends AsyncDisposable {
  citewell: TestService
  llm: FakeLlm
  receiver: FakeReceiver
  /** An external base whose page describes how signing keys are rotated. */
  makeBase(fields?: object): Promise<WebhookBase>
  /** Registers a webhook at a path of the receiver; returns its record. */
  listen(baseId: string, events: string[], given?: { path?: string; secret?: string }): Promise<Trigger>
  /** Asks as a reader; returns the frames of the stream. */
  ask(base: WebhookBase, query: string, given?: object): Promise<Frame[]>
  /** Sends any request to the service, without credentials. */
  request(path: string, init: RequestInit): Promise<Response>
  /** The log of a webhook, newest first. */
  logOf(triggerId: string): Promise<Delivery[]>
}

export type Trigger = Record<string, unknown> & { id: string; last_delivery: Delivery | null }

export type Delivery = Record<string, unknown> & { id: string; status: string; body: string }

/** The answer of the fake model if the page covers the question. */
export const ROTATION = 'Signing keys are rotated once a day.'

export const QUESTION = 'How often are signing keys rotated?'

/** Its answer if the page does not cover the question. */
export const OFF_TOPIC = 'What is the best recipe for a chocolate cake with cherries?'

/** A model that knows what the page covers. */
export const answersFromPage = () =>
  fakeLlm.replies((messages) =>
    JSON.stringify(messages).includes('chocolate cake')
      ? 'NOT COVERED: The documentation says nothing of cakes.'
      : `${ROTATION} [1]`,
  )

/** Gives a base the page. */
export async function makePage(citewell: Pick<TestService, 'json'>, baseId: string): Promise<void> {
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Rotating signing keys',
        url: 'https://docs.example.com/keys',
        markdown: `# Rotating signing keys\n\n${ROTATION} Old signing keys stay valid for an hour.`,
      },
    ],
  })
}

/** The settings of a process of such a world: another one on the same storage reads the same secrets. */
export const processOf = (llm: FakeLlm) => ({
  CITEWELL_LLM_BASE_URL: llm.baseUrl,
  CITEWELL_LLM_MODEL: 'fake',
  CITEWELL_SECRET_KEY: 'the-same-key-in-each-process-of-this-test',
})

/** The whole service with a model that always answers, a page, and a receiver of webhooks. */
export async function startWebhookWorld(answers: Record<string, ReceiverAnswer> = {}): Promise<WebhookWorld> {
  const llm = await startFakeLlm(answersFromPage())
  const citewell = await startTestService(processOf(llm))
  const receiver = await startFakeReceiver(answers)
  let made = 0

  async function makeBase(fields: object = {}): Promise<WebhookBase> {
    made += 1
    const base = await citewell.json<{ id: string; client_key: { key: string } | null }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: `Acme ${made}`, ...fields },
    )
    await makePage(citewell, base.id)
    return { id: base.id, key: base.client_key?.key ?? '' }
  }

  return {
    citewell,
    llm,
    receiver,
    makeBase,
    listen: (baseId, events, { path = '/hook', secret } = {}) =>
      citewell.json<Trigger>('POST', `/api/v1/knowledge-bases/${baseId}/webhook-triggers`, {
        name: 'Ours',
        url: `${receiver.origin}${path}`,
        events,
        ...(secret !== undefined && { secret }),
      }),
    ask: async (base, query, given = {}) => {
      const response = await fetch(`${citewell.address}/api/v1/public/knowledge-bases/${base.id}/chat`, {
        method: 'POST',
        headers: { 'x-client-key': base.key, 'content-type': 'application/json' },
        body: JSON.stringify({ query, ...given }),
      })
      return await framesOf(response)
    },
    request: (path, init) => fetch(`${citewell.address}${path}`, init),
    logOf: async (triggerId) =>
      (await citewell.json<{ data: Delivery[] }>('GET', `/api/v1/webhook-triggers/${triggerId}/deliveries`))
        .data,
    [Symbol.asyncDispose]: async () => {
      await citewell[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await llm[Symbol.asyncDispose]()
    },
  }
}
