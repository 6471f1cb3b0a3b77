import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { ChatBots } from './chat-bots.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const chatBotRoutes = (chatBots: Pick<ChatBots, 'setup' | 'check'>) => [
  endpoint(ENDPOINTS.getBotSetup, ({ caller, params }) => chatBots.setup(caller, params.id)),
  endpoint(ENDPOINTS.checkBot, ({ caller, params, signal }) => chatBots.check(caller, params.id, signal)),
]
