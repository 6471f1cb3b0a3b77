import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookHeaders } from './webhook-signature.ts'

const GUIDE = resolve(import.meta.dirname, '../../../../docs/guide/webhooks.md')
/** Inside the service, so that a copied example finds the packages that it imports. */
const SERVICE = resolve(import.meta.dirname, '../../..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(SERVICE, 'node_modules', '.guide-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The examples of the guide, each as a separate module. */
async function exampleOf(name: string): Promise<(...given: unknown[]) => unknown> {
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)
  const code = blocks.find((block) => block?.includes(`function ${name}(`))
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code ?? '')
  const module = (await import(pathToFileURL(file).href)) as Record<string, (...given: unknown[]) => unknown>
  const example = module[name]
  if (example === undefined) throw new Error(`the guide has no ${name}`)
  return example
}

const body = '{"event":"approval.resolved","data":{"decision":"approved"}}'
const delivery = (secret: string, at = new Date()) =>
  Object.fromEntries(
    Object.entries(webhookHeaders({ secret, event: 'approval.resolved', messageId: 'one', body, at })).map(
      ([name, value]) => [name.toLowerCase(), value],
    ),
  )

test('the example of the guide distinguishes our deliveries from others', async () => {
  const isFromCitewell = await exampleOf('isFromCitewell')
  const signature = delivery('a secret')['x-service-signature']
  const raw = Buffer.from(body)
  expect(isFromCitewell(raw, signature, 'a secret')).toBe(true)
  expect(isFromCitewell(Buffer.from(`${body} `), signature, 'a secret')).toBe(false)
  expect(isFromCitewell(raw, signature, 'another secret')).toBe(false)
  expect(isFromCitewell(raw, undefined, 'a secret')).toBe(false)
})

test('the example with the library does too, and also refuses old deliveries', async () => {
  const eventOf = await exampleOf('eventOf')
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  expect(eventOf(Buffer.from(body), delivery(secret), secret)).toEqual(JSON.parse(body))
  const old = delivery(secret, new Date(Date.now() - 600_000))
  expect(() => eventOf(Buffer.from(body), old, secret)).toThrow(/too old/)
  expect(() => eventOf(Buffer.from(body), delivery('whsec_AAAA'), secret)).toThrow(/signature/)
})
