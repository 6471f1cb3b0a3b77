import { z } from 'zod'
import { SOURCE_PLATFORMS } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { idOf, nullableText, recordFields } from './fields.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Platform = z.enum(SOURCE_PLATFORMS).meta({ description: 'Where the account is.', examples: ['google'] })

export const SourceConnection = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    platform: Platform,
    account: nullableText('docs@example.com').describe(
      'The account, as the platform calls it. Null: it is not connected yet, or has no name.',
    ),
    status: z.enum(['pending', 'connected', 'broken']).meta({
      description:
        '`pending`: nobody has allowed it at the platform yet. `broken`: the platform no longer accepts it; connect it again.',
      examples: ['connected'],
    }),
  })
  .meta({
    id: 'SourceConnection',
    description: 'An account at another platform that sources are read with. Its tokens are never returned.',
  })

export type SourceConnection = z.infer<typeof SourceConnection>

export const NewSourceConnection = z
  .strictObject({ platform: Platform })
  .meta({ id: 'NewSourceConnection', examples: [{ platform: 'google' }] })

export const StartedConnection = SourceConnection.extend({
  authorize_url: z.url().meta({
    description:
      'Where a person allows it, in the browser that asked for it, within ten minutes. It works once.',
    examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=…'],
  }),
}).meta({ id: 'StartedConnection' })

export type StartedConnection = z.infer<typeof StartedConnection>

export const ConnectablePlatforms = z
  .object({
    platforms: z.array(
      z.object({
        platform: Platform,
        name: z.string().meta({ examples: ['Google'] }),
        is_set_up: z.boolean().meta({
          description: 'Whether the operator has set the app that accounts are connected with.',
          examples: [true],
        }),
        redirect_url: z.url().meta({
          description: 'The address to register at the platform as the redirect address of the app.',
          examples: ['https://answers.example.com/connect-source/google'],
        }),
      }),
    ),
  })
  .meta({ id: 'ConnectablePlatforms' })

const connections = recordEndpoints({
  room: 'content/source-connections',
  group: 'Sources',
  path: 'source-connections',
  record: SourceConnection,
  page: pageOf(SourceConnection, 'SourceConnectionPage'),
})

const inBrowser =
  'Only for a member who is signed in with a browser: the platform sends the person back to it.'

export const SOURCE_CONNECTION_ENDPOINTS = declareEndpoints({
  listConnectablePlatforms: {
    caller: 'access-token',
    ...CALLED_BY.members,
    room: 'content/source-connections',
    group: 'Sources',
    ...GET('/api/v1/knowledge-bases/{id}/connectable-platforms'),
    summary: 'List the platforms whose accounts can be connected',
    params: InKnowledgeBase,
    answer: { status: 200, body: ConnectablePlatforms },
  },
  listSourceConnections: connections.list({ summary: 'List the connected accounts' }),
  startSourceConnection: {
    ...connections.create({
      summary: 'Connect an account',
      description: `Begins to connect an account that sources are read with. ${inBrowser}`,
      body: NewSourceConnection,
      refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
    }),
    // Nothing is connected before the browser comes back.
    answer: { status: 202, body: StartedConnection },
  },
  getSourceConnection: connections.get({ summary: 'Read a connected account' }),
  restartSourceConnection: {
    caller: 'access-token',
    ...CALLED_BY.configurers,
    room: 'content/source-connections',
    group: 'Sources',
    ...POST('/api/v1/source-connections/{id}/reconnect'),
    summary: 'Connect an account again',
    description: `Its sources keep it, and are read with its new tokens. ${inBrowser}`,
    params: OneRecord,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
    answer: { status: 200, body: StartedConnection },
  },
  deleteSourceConnection: connections.remove({
    summary: 'Disconnect an account',
    description:
      'Takes back at the platform what was allowed, where the platform has a way to, and forgets the tokens. What its sources have read stays; they are not read again until they have another account or credentials.',
  }),
})
