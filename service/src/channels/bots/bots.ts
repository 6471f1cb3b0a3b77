import type { Bot, BotChange, NewBot } from '@citewell/contract/bots'
import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { presentIntegration, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'

/**
 * Chat bots. A bot does not check who asks: if its base becomes internal after it was connected, it still answers everyone in its channel,
 * and its record shows that. Connecting a bot to an internal base has to be acknowledged.
 */
export function createBots(integrations: Integrations) {
  async function create(caller: Caller, knowledgeBaseId: string, given: NewBot): Promise<Bot> {
    const { acknowledge_internal: acknowledged, ...bot } = given
    return present(
      await integrations.create(caller, knowledgeBaseId, bot, (base) => {
        if (base.type === 'external' || acknowledged) return
        throw new Refusal('CONFIRMATION_REQUIRED', {
          because:
            'Everyone in the channel will get answers from this internal knowledge base. Send "acknowledge_internal": true to connect the bot anyway.',
        })
      }),
    )
  }

  return {
    create,
    list: async (caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<Bot[]> => {
      const { rows, base } = await integrations.list(caller, knowledgeBaseId, page)
      return rows.map((row) => present({ row, base }))
    },
    get: async (caller: Caller, id: string): Promise<Bot> => present(await integrations.get(caller, id)),
    change: async (caller: Caller, id: string, changes: BotChange): Promise<Bot> =>
      present(await integrations.change(caller, id, changes)),
    remove: (caller: Caller, id: string): Promise<void> => integrations.remove(caller, id),
  }
}

export type Bots = ReturnType<typeof createBots>

function present({ row, base }: { row: IntegrationRow; base: KnowledgeBaseRow }): Bot {
  return {
    ...presentIntegration(row),
    // The column holds only names of the contract.
    platform: row.platform as Bot['platform'],
    answers_internal: row.enabled && base.type === 'internal',
  }
}
