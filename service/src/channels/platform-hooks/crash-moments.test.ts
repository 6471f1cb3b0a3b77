import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { createCrash, storageUntil, type Crash } from '../../../test/platforms/crash-moments.ts'
import type { CrashingPlatform } from '../../../test/platforms/crashing-platform.ts'
import { CRASHING_PLATFORMS } from '../../../test/platforms/crashing-platforms.ts'
import { HAS_DOVECOT, NO_DOVECOT } from '../../../test/platforms/mail-servers.ts'
import { HAS_REQUEST_TRACKER } from '../../../test/platforms/request-tracker.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { answersFromPage, makePage, processOf } from '../../../test/webhook-world.ts'
import type { Storage } from '../../platform/storage/storage.ts'

/** `npm run test:crashes`: every platform, and the process ends at each moment. Otherwise one moment of one platform. */
const IS_LONG = process.env['CRASH_MOMENTS'] === 'all'
const SHORT = { platform: 'intercom', moment: 12 }
const [FIRST, LAST] = IS_LONG ? [1, Infinity] : [SHORT.moment, SHORT.moment]

let storage: Storage
let llm: FakeLlm
let baseId: string

const start = (crash: Crash) => startTestService(processOf(llm), { storage: storageUntil(crash, storage) })

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(answersFromPage())
  await using citewell = await start(createCrash())
  baseId = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme' })).id
  await makePage(citewell, baseId)
  await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/webhook-triggers`, {
    name: 'Ours',
    url: `${new URL(llm.baseUrl).origin}/hook`,
    events: ['ticket.deflected', 'ticket.escalated'],
  })
}, 180_000)
afterAll(async () => {
  await storage.close()
  await llm[Symbol.asyncDispose]()
})

const rows = async (statement: string) => (await storage.execute(statement)).rows

const OPEN = `select 1 from platform_events where status in ('received', 'handling')
  union all select 1 from platform_posts where status in ('pending', 'sending')
  union all select 1 from helpdesk_tickets where due_at is not null or answering_since is not null`

const settled = () =>
  eventually(
    () => rows(OPEN),
    ({ length }) => length === 0,
  )

/** Time goes by: nobody else may take what a process that died has until then. */
async function wait(): Promise<void> {
  await storage.execute(
    "update helpdesk_tickets set answering_since = date_trunc('milliseconds', answering_since - interval '1 hour')",
  )
  await storage.execute("update helpdesk_polls set next_at = date_trunc('milliseconds', now())")
}

async function forget(): Promise<void> {
  for (const table of [
    'platform_posts',
    'platform_events',
    'helpdesk_tickets',
    'webhook_deliveries',
    'approvals',
  ])
    await storage.execute(`delete from ${table}`)
  await storage.execute('update integrations set problem = null')
}

interface After {
  moment: string
  answers: number
  isStored: boolean
  /** The status of what was posted last, of the ticket, and the problem on the record; empty if there is none. */
  post: string
  problem: string
  ticket: string
  /** What became of an approved action, as its record says. */
  execution: string
  events: string[]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

async function afterwards(platform: CrashingPlatform, moment: string, isStored: boolean): Promise<After> {
  const [post] = await rows('select status from platform_posts order by seq desc limit 1')
  const [integration] = await rows('select problem from integrations where problem is not null')
  const [ticket] = await rows('select status from helpdesk_tickets limit 1')
  const [approval] = await rows('select execution from approvals limit 1')
  const told = await rows('select event from webhook_deliveries order by created_at, id')
  return {
    moment,
    answers: platform.answers(),
    isStored,
    post: textOf(post?.['status']),
    problem: textOf(integration?.['problem']),
    ticket: textOf(ticket?.['status']),
    execution: textOf(approval?.['execution']),
    events: told.map(({ event }) => String(event)),
  }
}

/** Where this service has a chat, people get it if its answer was lost. */
const isWithPeople = ({ post, ticket, events }: After) =>
  post === 'posted' && ticket === 'escalated' && events.includes('ticket.escalated')

/** At most one answer, and none without a word of it. */
function* faultsOf(platform: CrashingPlatform, after: After): Generator<string> {
  const { answers, post, problem, isStored } = after
  const isUncertain = post === 'unknown'
  // What died with the process, and nobody tells again: who asked sees that nothing came.
  const isUnheard = !isStored && !platform.tellsAgain
  if (answers > 1) yield 'two answers'
  if (answers === 0 && !isUnheard && !isUncertain && !isWithPeople(after)) yield 'lost without a word'
  if (isUncertain && !/may have arrived|may or may not/.test(problem)) yield 'the record says nothing of it'
  if (!isUncertain && !isUnheard && post !== 'posted') yield 'not posted'
}

/** The event of an answer is sent if and only if it counts. */
function* faultsOfTicket(after: After): Generator<string> {
  const { post, ticket, events } = after
  if (ticket === '') return
  const deflected = events.filter((event) => event === 'ticket.deflected').length
  if (deflected !== (ticket === 'answered' ? 1 : 0)) yield 'not the event of its answer'
  if (post !== 'unknown' && ticket !== 'answered' && !isWithPeople(after)) yield 'posted, and not answered'
}

/** The record of an action says what became of its request. */
function* faultsOfAction({ post, execution }: After): Generator<string> {
  if (execution === '') return
  if (execution !== (post === 'posted' ? 'done' : 'unknown')) yield 'not the execution of its request'
}

/** A process that ends meanwhile does not answer. */
async function tell(platform: CrashingPlatform, citewell: TestService, id: string): Promise<void> {
  await platform.tell(citewell, id).catch(() => undefined)
}

/** A process that ends at a moment, and the next one. Returns undefined if it did not come to that moment. */
async function crashOnce(platform: CrashingPlatform, id: string, at: number): Promise<After | undefined> {
  await forget()
  await platform.ask()
  const crash = createCrash()
  let isStored = false
  platform.proxy.use(createCrash())
  {
    const citewell = await start(crash)
    await platform.isReady?.()
    crash.arm(at)
    platform.proxy.use(crash)
    await tell(platform, citewell, id)
    await eventually(
      async () => crash.isDead || (crash.moments.length > 1 && (await rows(OPEN)).length === 0),
      (isOver) => isOver,
    )
    const hasLived = !crash.isDead
    // It was asked, and came to its end.
    if (hasLived) expect(platform.answers()).toBe(1)
    crash.isDead = true
    await Promise.resolve(citewell[Symbol.asyncDispose]()).catch(() => undefined)
    if (hasLived) return undefined
    isStored = (await rows('select 1 from platform_events')).length > 0
  }
  await wait()
  platform.proxy.use(createCrash())
  await using next = await start(createCrash())
  await platform.isReady?.()
  if (platform.tellsAgain) await tell(platform, next, id)
  await settled()
  return await afterwards(platform, `${at}: ${crash.moments.at(-1)}`, isStored)
}

const tableOf = (name: string, all: readonly After[]) =>
  all.map((each) => `${name} ${each.moment}: ${each.answers} answers, ${each.post} ${each.ticket}\n`).join('')

/** What is not tested here, and why. */
const WITHOUT: Partial<Record<string, string>> = {
  ...(!HAS_DOVECOT && { email: NO_DOVECOT }),
  ...(!HAS_REQUEST_TRACKER && {
    request_tracker: 'Request Tracker is not installed: its tests are skipped.',
  }),
}

for (const [name, open] of Object.entries(CRASHING_PLATFORMS)) {
  const missing = WITHOUT[name]
  const isLeft = missing !== undefined || (!IS_LONG && name !== SHORT.platform)
  if (missing !== undefined && IS_LONG) console.warn(missing)
  verifies(
    'hooks.crashes',
    `${name}: wherever the process ends, there is one answer, or the record says that it is uncertain`,
    async () => {
      await using platform = await open()
      let id: string
      {
        await using citewell = await start(createCrash())
        const path = `/api/v1/knowledge-bases/${baseId}/${platform.noun}`
        id = (await citewell.json<{ id: string }>('POST', path, { name: 'Ours', ...platform.fields })).id
        await citewell.send('POST', `/api/v1/${platform.noun}/${id}/check`)
      }
      const all: After[] = []
      for (let at = FIRST; at <= LAST; at += 1) {
        const after = await crashOnce(platform, id, at)
        if (after === undefined) break
        all.push(after)
        expect([
          after,
          [...faultsOf(platform, after), ...faultsOfTicket(after), ...faultsOfAction(after)],
        ]).toEqual([after, []])
      }
      expect(all.length).toBeGreaterThan(0)
      if (IS_LONG) process.stdout.write(tableOf(name, all))
      await storage.execute('update integrations set enabled = false')
    },
    { timeout: 900_000, skip: isLeft },
  )
}
