import { createFairSemaphore } from '../../../../platform/fairness/fair-semaphore.ts'
import type { MailServer } from '../../../../platform/outbound/mail/mail-server.ts'

/**
 * Connections of this process to one mailbox at a time. Servers take few of one user and address: Courier 4, Dovecot 10
 * (`mail_max_userip_connections`), Gmail 15; mail programs of its people may need the others.
 */
const MOST = 3

/** Has the steps of a mailbox wait for each other, so that its server does not turn them away. */
export function createMailboxPlaces() {
  const semaphore = createFairSemaphore({ places: Infinity, mostEach: MOST })
  return {
    /** Waits for a place. Returns the function that frees it; throws the reason of the signal if it is aborted first. */
    take: async ({ host, port, user }: MailServer, signal: AbortSignal): Promise<() => void> => {
      const mailbox = JSON.stringify([host, port, user])
      return await semaphore.acquire({ workspaceId: mailbox, knowledgeBaseId: '' }, signal)
    },
  }
}

export type MailboxPlaces = ReturnType<typeof createMailboxPlaces>
