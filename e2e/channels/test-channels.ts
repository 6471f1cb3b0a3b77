/**
 * `npm run test:channels`: tickets of the real Request Tracker and mails of the real Dovecot, answered by two processes on one PostgreSQL
 * server. Each is answered at most once, nothing is lost, and the webhook gets each event once, with its reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startFakeLlm, type FakeBehaviour } from '../../service/test/fake-llm.ts'
import { startFakeReceiver } from '../../service/test/fake-webhook-receiver.ts'
import { HAS_DOVECOT, NO_DOVECOT, startMailServers } from '../../service/test/platforms/mail-servers.ts'
import { HAS_REQUEST_TRACKER, startRequestTracker } from '../../service/test/platforms/request-tracker.ts'
import { answersFromPage, makePage } from '../../service/test/webhook-world.ts'
import { NO_POSTGRES, postgresServerUrl } from '../../service/test/postgres-server.ts'
import { compareCases, type Outcome } from './compare-cases.ts'
import { mailboxSide, trackerSide, type DeskSide } from './desk-sides.ts'
import { MARK, openCase, reactTo, type TicketCase } from './ticket-cases.ts'
import { MODELS, startTwoProcesses } from './two-processes.ts'

// npm run test:channels -- --tickets 200
const { values } = parseArgs({
  options: {
    /** At each of the two help desks. */
    tickets: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '60' },
  },
})
const TICKETS = Number(values.tickets)
/** Longer than the pauses of a customer here who writes twice. */
const QUIET_SECONDS = 5
const LOOK_EVERY_MS = 1_500
const MAILBOX = 'help@acme.example'

const serverUrl = postgresServerUrl()
const missing = [
  ...(serverUrl === undefined ? [NO_POSTGRES] : []),
  ...(HAS_DOVECOT ? [] : [NO_DOVECOT]),
  ...(HAS_REQUEST_TRACKER ? [] : ['Request Tracker is not installed.']),
]
if (serverUrl === undefined || missing.length > 0) {
  console.error(missing.join('\n'))
  process.exit(1)
}
const startedAt = performance.now()
const deadline = startedAt + Number(values.minutes) * 60_000
await using llm = await startFakeLlm()
await using receiver = await startFakeReceiver()
await using servers = await startMailServers()
await using rt = await startRequestTracker({ workers: 3 })
await using two = await startTwoProcesses(serverUrl, {
  CITEWELL_LLM_BASE_URL: llm.baseUrl,
  CITEWELL_SECRET_KEY: 'the-same-key-in-both-processes-of-this-test',
  NODE_EXTRA_CA_CERTS: servers.certificateFile,
})
const [one, other] = two.citewells
const sides: readonly DeskSide[] = [trackerSide(rt), mailboxSide(servers, MAILBOX)]
const cases: TicketCase[] = []

/** A person of the team answers while the model writes. */
const raced = new Set<TicketCase>()
const model: FakeBehaviour = async (exchange) => {
  const asked = MARK.exec(JSON.stringify(exchange.request.body.messages))
  const about = cases.find(({ number, side }) => number === Number(asked?.[1]) && side.name === asked?.[2])
  if (about?.kind === 'a person answers meanwhile' && !raced.has(about)) {
    raced.add(about)
    await about.side.agentWrites(about.ticket, 'Let me look.')
  }
  await answersFromPage()(exchange)
}
llm.script(model)

const base = await one.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme' })
const path = `/api/v1/knowledge-bases/${base.id}`
await makePage(one, base.id)
await one.json('POST', `${path}/webhook-triggers`, {
  name: 'Ours',
  url: `${receiver.origin}/hook`,
  events: ['ticket.deflected', 'ticket.escalated'],
})
const connect = async (fields: object) =>
  (
    await one.json<{ id: string }>('POST', `${path}/helpdesk-integrations`, {
      name: 'Desk',
      handles: 'tickets',
      ...fields,
    })
  ).id
const quiet = { quiet_seconds: QUIET_SECONDS, hand_over_to: 'People' }
const integrations = [
  await connect({
    platform: 'request_tracker',
    config: { api_url: rt.address, username: rt.username, queue: 'General', ...quiet },
    credentials: rt.credentials,
  }),
  await connect({
    platform: 'email',
    config: {
      address: MAILBOX,
      imap_host: servers.host,
      imap_port: servers.imapPort,
      smtp_host: servers.host,
      smtp_port: servers.smtpPort,
      smtp_security: 'starttls',
      ...quiet,
    },
    credentials: { password: servers.password },
  }),
]

/** Both processes read both help desks at the same moment. */
async function look(): Promise<void> {
  await Promise.all(
    two.citewells.flatMap((citewell) =>
      integrations.map(async (id) => {
        const { is_working: isWorking, problems } = await citewell.json<{
          is_working: boolean
          problems: string[]
        }>('POST', `/api/v1/helpdesk-integrations/${id}/check`)
        if (!isWorking) throw new Error(problems.join(' '))
      }),
    ),
  )
}

const isOpen = async () =>
  (
    await two.rows(`select 1 from helpdesk_tickets where due_at is not null or answering_since is not null
      union all select 1 from platform_posts where status in ('pending', 'sending')
      union all select 1 from webhook_deliveries where status in ('pending', 'sending')`)
  ).length > 0

/** Customers and programs react to what they got since the last time. Returns whether there was anything. */
async function react(): Promise<boolean> {
  let isAny = false
  for (const side of sides) {
    const answers = side.answers()
    for (const each of cases) {
      const heard = each.side === side ? (answers.get(each.number) ?? 0) : 0
      // A program answers each answer; that there is more than one is found at the end.
      if (heard <= each.heard || each.heard > 5) continue
      each.heard = heard
      isAny = true
      await reactTo(each)
    }
  }
  return isAny
}

await look()
// Everything arrives while both processes read, answer and post.
const arriving = Promise.all(
  sides.map(async (side) => {
    for (let number = 0; number < TICKETS; number += 1) cases.push(await openCase(side, number))
  }),
)
let isArriving = true
void arriving.finally(() => (isArriving = false)).catch(() => undefined)
for (let quietRounds = 0; quietRounds < 4;) {
  if (performance.now() > deadline) throw new Error(`Not settled within ${values.minutes} minutes.`)
  await look()
  const hasReacted = await react()
  quietRounds = isArriving || hasReacted || (await isOpen()) ? 0 : quietRounds + 1
  await sleep(LOOK_EVERY_MS)
}
await arriving

const stored = await two.rows('select integration_id, ticket_id, status from helpdesk_tickets')
const statusOf = new Map(
  stored.map((row) => [
    `${String(row['integration_id'])} ${String(row['ticket_id'])}`,
    String(row['status']),
  ]),
)
const told = receiver.received.map(({ body }) => {
  const { event, data } = JSON.parse(body.toString()) as {
    event: string
    data: { integration_id: string; ticket_id: string; reason?: string }
  }
  return {
    about: `${data.integration_id} ${data.ticket_id}`,
    event: data.reason === undefined ? event : `${event} ${data.reason}`,
  }
})
const eventsOf = Map.groupBy(told, ({ about }) => about)
const outcomes: Outcome[] = sides.flatMap((side, at) => {
  const answers = side.answers()
  return cases
    .filter((each) => each.side === side)
    .map(({ number, kind, ticket }) => {
      const about = `${integrations[at]} ${ticket}`
      return {
        ticket: `${side.name} ${number}`,
        kind,
        answers: answers.get(number) ?? 0,
        events: (eventsOf.get(about) ?? []).map(({ event }) => event),
        status: statusOf.get(about),
      }
    })
})
const { faults, table } = compareCases(outcomes)
const known = new Set(cases.map(({ side, ticket }) => `${integrations[sides.indexOf(side)]} ${ticket}`))
for (const about of eventsOf.keys())
  if (!known.has(about)) faults.push(`An event tells of a ticket that nobody opened: ${about}`)
const askedBy = MODELS.map((name) => llm.requests.filter(({ body }) => body.model === name).length)
// Otherwise there was no race.
if (askedBy.includes(0)) faults.push('One of the processes answered nothing.')
const problems = await two.rows('select problem from integrations where problem is not null')
for (const { problem } of problems) faults.push(`An integration has a problem: ${String(problem)}`)
const posts = await two.rows('select status, count(*)::int as many from platform_posts group by 1 order by 1')

console.table(table)
console.log(
  `${outcomes.length} tickets in ${Math.round((performance.now() - startedAt) / 1_000)} s; the processes asked the model ${askedBy.join(
    ' and ',
  )} times; ${told.length} events; ${raced.size} answers overtaken by a person; posts: ${posts
    .map(({ status, many }) => `${String(many)} ${String(status)}`)
    .join(', ')}`,
)
const logged = [one, other].flatMap((citewell) =>
  citewell
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":50')),
)
for (const line of logged.slice(0, 20)) console.log(line.slice(0, 800))
if (logged.length > 0) faults.push(`${logged.length} errors in the logs.`)
for (const fault of faults.slice(0, 50)) console.error(fault)
console.log(faults.length === 0 ? 'All as expected.' : `${faults.length} FAULTS`)
process.exitCode = faults.length === 0 ? 0 : 1
