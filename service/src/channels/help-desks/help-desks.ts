import type { HelpdeskCheck, HelpdeskSetup } from '@citewell/contract/helpdesk-connections'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Answering } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { createRowQueue } from '../../platform/jobs/row-queue.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import {
  findIntegrationById,
  openCredentials,
  shownCredentials,
  shownSettings,
  type IntegrationRow,
  type Integrations,
} from '../integrations/integrations.ts'
import { addressOfHook, type TakenEvent } from '../platform-hooks/platform-hooks.ts'
import type { PlatformPosts } from '../platform-posts/platform-posts.ts'
import { createDrivenTickets, type TicketRow } from '../tickets/tickets.ts'
import { oneLine } from '../../kernel/one-line.ts'
import { answerText } from './answer-text.ts'
import type { DeskIncoming, DeskPost } from './desk-incoming.ts'
import { createDeskPosting } from './desk-posting.ts'
import type { HelpDesksDb } from './desk-polls-store.ts'
import { DESK_SETTINGS, readDeskSettings, settingProblems } from './desk-settings.ts'
import { CHATWOOT } from './desks/chatwoot/chatwoot.ts'
import type { EmailDeps } from './desks/email/email-access.ts'
import { createEmailDesk } from './desks/email/email.ts'
import { createFreshdeskDesk } from './desks/freshdesk/freshdesk.ts'
import { createFrontDesk } from './desks/front/front.ts'
import { createHelpscoutDesk } from './desks/helpscout/helpscout.ts'
import { createHubspotDesk } from './desks/hubspot/hubspot.ts'
import { INTERCOM } from './desks/intercom/intercom.ts'
import { REQUEST_TRACKER } from './desks/request-tracker/request-tracker.ts'
import { createZammadDesk } from './desks/zammad/zammad.ts'
import { ZENDESK_MESSAGING } from './desks/zendesk-messaging/zendesk-messaging.ts'
import { createZendeskDesk } from './desks/zendesk/zendesk.ts'
import type { DeskAccount, HelpDesk } from './help-desk.ts'
import { createDeskPolls } from './poll-desks.ts'
import { createTicketWorker } from './work-ticket.ts'

export { DeskIncoming } from './desk-incoming.ts'

/** Tickets in work at a time, over all help desks. */
const AT_ONCE = 8
const DRAIN_MS = 2_000

export interface HelpDesksDeps {
  db: HelpDesksDb
  integrations: Pick<Integrations['helpdeskIntegrations'], 'open'>
  answering: Pick<Answering, 'answerQuestion'>
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound' | 'checkHost'>
  parseMail: EmailDeps['parseMail']
  events: Pick<Events, 'announce'>
  now: () => Date
  newId: () => string
  publicUrl: () => string
  report: (fault: unknown, doing: string) => void
}

/** Tickets of help desks: read there, answered there. The outbox comes later, because what it posts ends here. */
export function createHelpDesks(deps: HelpDesksDeps) {
  const { db, sealer, outbound, events, now, report } = deps
  const tickets = createDrivenTickets(deps)

  /** Help desks that this service drives itself. The others are driven by a program of their owner. */
  const desks: Partial<Record<string, HelpDesk>> = {
    chatwoot: CHATWOOT,
    email: createEmailDesk({ outbound: deps.outbound, parseMail: deps.parseMail, now }),
    freshdesk: createFreshdeskDesk({ now }),
    front: createFrontDesk({ now }),
    helpscout: createHelpscoutDesk({ now }),
    hubspot: createHubspotDesk({ now }),
    intercom: INTERCOM,
    request_tracker: REQUEST_TRACKER,
    zammad: createZammadDesk({ now }),
    zendesk: createZendeskDesk({ now }),
    zendesk_messaging: ZENDESK_MESSAGING,
  }
  const polled = Object.entries(desks).flatMap(([name, desk]) => (desk?.changes === undefined ? [] : [name]))

  const deskOf = ({ kind, platform, handles }: IntegrationRow): HelpDesk | undefined => {
    const desk = kind === 'helpdesk_integration' ? desks[platform ?? ''] : undefined
    return desk?.handles === handles ? desk : undefined
  }

  const accountOf = (integration: IntegrationRow, signal: AbortSignal): DeskAccount => ({
    credentials: openCredentials(sealer, integration) ?? {},
    config: integration.config,
    fetchOutbound: outbound.fetchOutbound,
    signal,
  })
  let wakeQueue = (): void => undefined
  const wakeAfter = (ms: number): void => {
    wakeQueue()
    if (ms > 0) setTimeout(() => wakeQueue(), ms + 1).unref()
  }
  const polls = createDeskPolls({
    db,
    tickets,
    platforms: polled,
    deskOf,
    accountOf,
    wakeAfter,
    now,
    report,
  })

  /** Something happened to a ticket: it is read after its quiet time. */
  async function handle(event: TakenEvent<DeskIncoming>): Promise<void> {
    const { knowledgeBaseId, integrationId, incoming } = event
    const integration = await findIntegrationById(db, integrationId)
    const { quietMs } = readDeskSettings(integration?.config ?? {}, integration?.handles ?? 'tickets')
    await db.transaction().execute(async (transaction: HelpDesksDb) => {
      await event.finish(transaction)
      const of = { knowledgeBaseId, integrationId, ticketId: incoming.ticketId }
      await tickets.schedule(transaction, of, new Date(now().getTime() + quietMs))
    })
    wakeAfter(quietMs)
  }

  /** Begins the work, with the outbox that posts its answers. */
  function work(posts: Pick<PlatformPosts, 'record' | 'sendUnstored' | 'wake'>) {
    const queue = createRowQueue<TicketRow>({
      claim: (most) => tickets.claim(most),
      work: createTicketWorker({ ...deps, tickets, posts, deskOf, accountOf }),
      atOnce: AT_ONCE,
      drainMs: DRAIN_MS,
      report,
      doing: 'handling a ticket of a help desk',
    })
    wakeQueue = queue.wake
    return {
      /** Looks for what is due: tickets, and help desks that have to be asked. Call it now and then. */
      look: async (): Promise<void> => {
        await tickets.wakeLost()
        queue.wake()
        await polls.look()
      },
      stop: async (): Promise<void> => {
        await polls.stop()
        await queue.stop()
      },
    }
  }

  async function open(caller: Caller, id: string, active: boolean) {
    const { row } = await deps.integrations.open(caller, id, { permission: 'config', active })
    const desk = deskOf(row)
    if (desk === undefined)
      throw new Refusal('CONFLICT', {
        because:
          'Integrations of this kind are driven by your own program: there is nothing to connect here.',
      })
    const hookUrl = desk.hook === undefined ? null : addressOfHook(deps.publicUrl(), id)
    return { row, desk, hookUrl }
  }

  /** What has to be entered at the help desk, and here. @throws Refusal CONFLICT for one that is not driven here */
  async function setup(caller: Caller, id: string): Promise<HelpdeskSetup> {
    const { row, desk, hookUrl } = await open(caller, id, false)
    const stored = openCredentials(sealer, row) ?? {}
    return {
      hook_url: hookUrl,
      credentials: shownCredentials(desk.setup.credentials, stored),
      settings: shownSettings({ ...desk.setup.settings, ...DESK_SETTINGS }),
    }
  }

  /** Asks the help desk whether the credentials work, and reads what is new. Refuses like `setup`, and on an archived base. */
  async function check(caller: Caller, id: string, signal: AbortSignal): Promise<HelpdeskCheck> {
    const { row, desk, hookUrl } = await open(caller, id, true)
    const { account, problems } = await desk.check(accountOf(row, signal))
    const all = [...problems, ...settingProblems(row.config)]
    if (account !== undefined && desk.changes !== undefined) await polls.readNow(id)
    return { is_working: all.length === 0, account: account ?? null, problems: all, hook_url: hookUrl }
  }

  /** What is posted to open a ticket for the team; undefined where none can be opened. */
  function openingPost(
    row: IntegrationRow,
    { subject, markdown }: { subject: string; markdown: string },
  ): DeskPost | undefined {
    if (deskOf(row)?.open === undefined) return undefined
    const text = answerText(markdown, [], '')
    return { ticketId: '', etag: '', act: { do: 'open', subject: oneLine(subject, 150), text } }
  }

  const postDriverOf = createDeskPosting({
    tickets,
    deskOf,
    accountOf,
    events,
    wakeAfter,
    now,
  })

  return {
    hookOf: (integration: IntegrationRow) => deskOf(integration)?.hook,
    handle,
    postDriverOf,
    openingPost,
    work,
    setup,
    check,
  }
}

export type HelpDesks = ReturnType<typeof createHelpDesks>
