import type { KnowledgeBase, McpServer } from '@citewell/sdk/management'

/** The sign-in types of MCP servers, in the words of the screen. */
export const SIGN_IN: readonly {
  type: McpServer['sign_in_type']
  offeredBy: KnowledgeBase['type']
  name: string
  choice: string
  reads: string
}[] = [
  {
    type: 'api_key',
    offeredBy: 'external',
    name: 'API key',
    choice: 'API key: anyone with a client key with MCP access',
    reads: 'Anyone with a client key with MCP access. Public documents only.',
  },
  {
    type: 'public',
    offeredBy: 'external',
    name: 'Public',
    choice: 'Public: readers, after they signed in',
    reads: 'Readers, after they signed in with a provider. Public documents only.',
  },
  {
    type: 'internal',
    offeredBy: 'internal',
    name: 'Internal',
    choice: 'Internal: members who may chat here',
    reads: 'Members who may chat here, with their account. Restricted documents too.',
  },
]
