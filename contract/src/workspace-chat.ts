import { z } from 'zod'
import { ChatBody, ChatDeltaFrame, ChatFirstFrame, ChatLastFrame } from './chat.ts'
import { declareEndpoints, CALLED_BY } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { idOf } from './fields.ts'
import { SearchBody, SearchResult, SearchResults } from './search.ts'
import { OfWorkspace } from './workspaces.ts'

/** Maximum number of ids per list. */
const MAX_IDS = 100

const idsOf = (what: string) =>
  z
    .array(idOf(what))
    .max(MAX_IDS)
    .optional()
    .meta({
      description: `Only these ${what === 'knowledge base' ? 'knowledge bases' : `${what}s`}. If omitted or empty: all.`,
      examples: [[]],
    })

const narrowing = {
  knowledge_base_ids: idsOf('knowledge base'),
  group_ids: idsOf('source group'),
  source_ids: idsOf('source'),
}

const BaseNamed = z
  .object({ id: idOf('knowledge base'), name: z.string().meta({ examples: ['Acme docs'] }) })
  .describe('The knowledge base that it is from.')

export const WorkspaceChatBody = ChatBody.pick({ query: true, thread_id: true })
  .extend(narrowing)
  .meta({
    id: 'WorkspaceChatBody',
    description: 'A question to the knowledge bases of a workspace.',
    examples: [{ query: 'How do I rotate an API key?' }],
  })

/** The frames of a chat; the first and the last also name the base that answers. */
export const WorkspaceChatFrame = z
  .union([
    ChatFirstFrame.extend({ knowledge_base: BaseNamed }).meta({
      id: 'WorkspaceChatFirstFrame',
      description: 'The first frame: what was found, and where.',
    }),
    ChatDeltaFrame,
    ChatLastFrame.extend({ knowledge_base: BaseNamed }).meta({
      id: 'WorkspaceChatLastFrame',
      description: 'The last frame: how the answer ended, and which knowledge base gave it.',
    }),
    StreamError,
  ])
  .meta({ id: 'WorkspaceChatFrame', description: 'One frame of an answer to a question to a workspace.' })

export type WorkspaceChatFrame = z.infer<typeof WorkspaceChatFrame>

export const WorkspaceSearchBody = SearchBody.pick({ query: true, limit: true })
  .extend(narrowing)
  .meta({ id: 'WorkspaceSearchBody', examples: [{ query: 'rotate key' }] })

export const WorkspaceSearchResults = SearchResults.extend({
  results: z.array(SearchResult.extend({ knowledge_base: BaseNamed })),
}).meta({ id: 'WorkspaceSearchResults', description: 'The best pages of all knowledge bases, best first.' })

const about = {
  caller: 'access-token',
  room: 'channels/team-api',
  group: 'Ask as a member',
  ...CALLED_BY.members,
  method: 'POST',
  params: OfWorkspace,
  recordedBy: 'nobody',
} as const

/** Questions of members to all knowledge bases of a workspace that they may chat in. Archived ones are not among them. */
export const WORKSPACE_CHAT_ENDPOINTS = declareEndpoints({
  askInWorkspace: {
    ...about,
    path: '/api/v1/workspaces/{id}/chat',
    summary: 'Ask the knowledge bases of a workspace',
    description:
      'One knowledge base answers: the one with the best evidence, among those that you may chat in and that your lists leave. A conversation is continued in its own knowledge base, if that is among them; otherwise a new one begins.',
    body: WorkspaceChatBody,
    answer: { status: 200, events: WorkspaceChatFrame },
    refusals: ['QUOTA_EXCEEDED'],
  },
  searchInWorkspace: {
    ...about,
    path: '/api/v1/workspaces/{id}/search',
    summary: 'Search the knowledge bases of a workspace',
    description: 'Only those that you may chat in.',
    body: WorkspaceSearchBody,
    answer: { status: 200, body: WorkspaceSearchResults },
  },
})
