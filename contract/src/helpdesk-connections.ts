import { z } from 'zod'
import { ConnectionCheck, ConnectionCredentials, ConnectionSettings, HookUrl } from './bot-connections.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { OneRecord } from './params.ts'

const HookUrlOrNull = HookUrl.nullable().describe(
  'The address to enter at the help desk: it sends its events there. Null for one that this service asks for changes.',
)

export const HelpdeskSetup = z
  .object({ hook_url: HookUrlOrNull, credentials: ConnectionCredentials, settings: ConnectionSettings })
  .meta({ id: 'HelpdeskSetup', description: 'How to connect a help desk.' })

export type HelpdeskSetup = z.infer<typeof HelpdeskSetup>

export const HelpdeskCheck = z
  .object({ ...ConnectionCheck, hook_url: HookUrlOrNull })
  .meta({ id: 'HelpdeskCheck', description: 'Whether a help desk is connected.' })

export type HelpdeskCheck = z.infer<typeof HelpdeskCheck>

const about = {
  caller: 'access-token',
  room: 'channels/help-desks',
  group: 'Help desks',
  ...CALLED_BY.configurers,
  params: OneRecord,
} as const

export const HELPDESK_CONNECTION_ENDPOINTS = declareEndpoints({
  getHelpdeskSetup: {
    ...about,
    ...GET('/api/v1/helpdesk-integrations/{id}/setup'),
    summary: 'Read how to connect a help desk',
    description:
      'The address to enter at the help desk, and the credentials and settings that it needs. `CONFLICT` for one that is driven by your own program.',
    answer: { status: 200, body: HelpdeskSetup },
    refusals: ['CONFLICT'],
  },
  checkHelpdesk: {
    ...about,
    ...POST('/api/v1/helpdesk-integrations/{id}/check'),
    summary: 'Check the connection of a help desk',
    description:
      'Asks the help desk whether the stored credentials work, and what is missing. It posts nothing; where this service asks for changes, it does so now.',
    recordedBy: 'nobody',
    answer: { status: 200, body: HelpdeskCheck },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})
