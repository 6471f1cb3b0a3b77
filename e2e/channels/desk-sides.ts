import type { MailServers } from '../../service/test/platforms/mail-servers.ts'
import type { RequestTracker } from '../../service/test/platforms/request-tracker.ts'
import { ROTATION } from '../../service/test/webhook-world.ts'

/** The other side of a help desk: its customers and its team. Each ticket has a customer of its own. */
export interface DeskSide {
  name: 'tracker' | 'mailbox'
  /** A customer writes a new message; returns the id of its ticket. */
  open(customer: number, text: string, given: { isAutomatic: boolean }): Promise<string>
  writesAgain(customer: number, ticket: string, text: string, given?: { isAutomatic: boolean }): Promise<void>
  agentWrites(ticket: string, text: string): Promise<void>
  /** How many answers each customer has got. */
  answers(): Map<number, number>
}

const AUTOMATIC = 'Auto-Submitted: auto-replied'
const addressOf = (customer: number) => `customer${customer}@mail.example`

function countAnswers(mails: readonly { to: string; raw: string }[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { to, raw } of mails) {
    const customer = Number(/customer(\d+)@mail\.example/.exec(to)?.[1])
    // What the help desk itself sends to a customer is no answer of ours.
    if (!Number.isNaN(customer) && raw.includes(ROTATION) && raw.includes('written automatically'))
      counts.set(customer, (counts.get(customer) ?? 0) + 1)
  }
  return counts
}

export const trackerSide = (rt: RequestTracker): DeskSide => ({
  name: 'tracker',
  open: (customer, text, { isAutomatic }) =>
    rt.mail(addressOf(customer), text, { subject: 'Keys', headers: isAutomatic ? AUTOMATIC : '' }),
  writesAgain: async (customer, ticket, text, { isAutomatic } = { isAutomatic: false }) => {
    await rt.mail(addressOf(customer), text, { ticket, headers: isAutomatic ? AUTOMATIC : '' })
  },
  agentWrites: (ticket, text) => rt.agentWrites(ticket, text),
  answers: () => countAnswers(rt.mails()),
})

export function mailboxSide(servers: MailServers, mailbox: string): DeskSide {
  let made = 0
  async function mail(from: string, text: string, headers: readonly string[], folder = 'INBOX') {
    made += 1
    const id = `${made}.customer@mail.example`
    const lines = [
      `From: <${from}>`,
      `To: ${mailbox}`,
      'Subject: Keys',
      `Message-ID: <${id}>`,
      'Content-Type: text/plain; charset=utf-8',
      ...headers,
    ]
    await servers.deliver(mailbox, `${lines.join('\n')}\n\n${text}\n`, { folder })
    return id
  }
  const answering = (ticket: string) => [`In-Reply-To: <${ticket}>`, `References: <${ticket}>`]
  return {
    name: 'mailbox',
    open: (customer, text, { isAutomatic }) =>
      mail(addressOf(customer), text, isAutomatic ? [AUTOMATIC] : []),
    writesAgain: async (customer, ticket, text, { isAutomatic } = { isAutomatic: false }) => {
      await mail(addressOf(customer), text, [...answering(ticket), ...(isAutomatic ? [AUTOMATIC] : [])])
    },
    agentWrites: async (ticket, text) => {
      await mail(mailbox, text, answering(ticket), 'Sent')
    },
    answers: () => countAnswers(servers.sent.map(({ to, raw }) => ({ to: to.join(), raw }))),
  }
}
