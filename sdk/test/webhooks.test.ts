import type { WebhookEventData, WebhookEventName } from '@citewell/contract/events'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { QUESTION, startWebhookWorld, type WebhookWorld } from '../../service/test/webhook-world.ts'
import { verifyWebhook, WebhookError, type WebhookDelivery, type WebhookHeaders } from '../src/webhooks.ts'

let world: WebhookWorld
beforeAll(async () => {
  world = await startWebhookWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SECRETS = [
  ['a Standard Webhooks secret', `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  ['a text', 'correct horse battery staple'],
  ['a text that could be Base64', 'abcdefghijklmnop'],
  ['a text beyond ASCII', 'geheim-schlüssel-🔑'],
] as const

/** A delivery as the service sends it, signed with this secret. */
async function deliver(secret: string): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const base = await world.makeBase()
  world.receiver.received.length = 0
  await world.listen(base.id, ['conversation.completed'], { secret })
  await world.ask(base, QUESTION)
  const [delivery] = await world.receiver.waitFor('conversation.completed', 1)
  if (delivery === undefined) throw new Error('Nothing was delivered.')
  return { body: delivery.body, headers: delivery.headers as Record<string, string> }
}

const isRefused = (body: Uint8Array | string, headers: WebhookHeaders, secret: string, now?: number) =>
  expect(verifyWebhook(body, headers, secret, { now })).rejects.toThrow(WebhookError)

test.each(SECRETS)(
  'a delivery signed with %s is accepted, and any change of it is not',
  async (_, secret) => {
    const { body, headers } = await deliver(secret)
    const event = await verifyWebhook(body, headers, secret)
    expect(event).toMatchObject({ event: 'conversation.completed', data: { message_id: expect.any(String) } })
    expect(await verifyWebhook(body.toString(), new Headers(headers), secret)).toEqual(event)

    await isRefused(body, headers, `${secret}x`)
    await isRefused(`${body.toString()} `, headers, secret)
    await isRefused(body, { ...headers, 'webhook-id': 'msg_other' }, secret)
    await isRefused(body, { ...headers, 'webhook-signature': 'v1,' }, secret)
    await isRefused(body, { ...headers, 'x-service-signature': '' }, secret)
    await isRefused(body, { ...headers, 'x-service-signature': 'zz' }, secret)
    await isRefused(body, {}, secret)
    const sentAt = Number(headers['webhook-timestamp']) * 1_000
    await verifyWebhook(body, headers, secret, { now: sentAt + 299_000 })
    await isRefused(body, headers, secret, sentAt + 302_000)
    await isRefused(body, headers, secret, sentAt - 302_000)
    const { 'webhook-timestamp': _time, ...untimed } = headers
    await isRefused(body, untimed, secret)
    expect(await verifyWebhook(body, untimed, secret, { toleranceSeconds: 0 })).toEqual(event)
  },
)

test('what the library of Standard Webhooks signs is accepted, with the signature of the body', async () => {
  const [, secret] = SECRETS[0]
  const body = '{"event":"ticket.deflected","data":{}}'
  const now = new Date()
  const { createHmac } = await import('node:crypto')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': `v1a,x v1,AAAA ${new Webhook(secret).sign('msg_1', now, body)}`,
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({ event: 'ticket.deflected' })
})

test('a secret must not be empty', async () => {
  await expect(verifyWebhook('{}', {}, '')).rejects.toThrow(TypeError)
})

test('the events are those of the contract', () => {
  type Of<Name extends WebhookEventName> = { event: Name; data: WebhookEventData<Name> }
  type Events = { [Name in WebhookEventName]: Of<Name> }[WebhookEventName]
  type Delivered = WebhookDelivery extends infer One
    ? One extends { event: infer Event; data: infer Data }
      ? { event: Event; data: Data }
      : never
    : never
  expectTypeOf<Delivered>().toEqualTypeOf<Events>()
})
