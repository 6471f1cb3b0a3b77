import type { Bot } from '@citewell/contract/integrations'
import { Refusal } from '../../kernel/refusal.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { presentIntegration } from './present-integration.ts'

/**
 * Chat bots. A bot does not check who asks: if its base becomes internal after it was connected, it still answers everyone in its channel,
 * and its record shows that. Connecting a bot to an internal base has to be acknowledged.
 */
export const BOT: IntegrationKind<Bot> = {
  kind: 'bot',
  noun: 'bot',
  requireAllowedIn: (base, { acknowledge_internal: isAcknowledged }) => {
    if (base.type === 'external' || isAcknowledged) return
    throw new Refusal('CONFIRMATION_REQUIRED', {
      because:
        'Everyone in the channel will get answers from this internal knowledge base. Send "acknowledge_internal": true to connect the bot anyway.',
    })
  },
  present: (row, base) => ({
    ...presentIntegration(row),
    // The column holds only names of the contract.
    platform: row.platform as Bot['platform'],
    answers_internal: row.enabled && base.type === 'internal',
  }),
}
