import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@citewell/contract/endpoint'
import { sampleBody } from './sample-body.ts'

/** Ids of one record of every kind, by the noun before the parameter in a path, or by the parameter's own name. */
export type Records = Record<string, string>

/** A repository that is not there, which git says immediately. A website that does not answer would be tried for some seconds. */
const UNREACHABLE = { type: 'repository', config: { url: 'https://127.0.0.1:9/docs.git' } }

/** Bodies that name other records, or that cannot be derived from the schemas. */
const BODIES: Record<string, (records: Records) => unknown> = {
  createKnowledgeBase: (records) => ({ name: 'Another base', workspace_id: records['workspaces'] }),
  updateKnowledgeBase: () => ({ description: 'changed' }),
  deleteKnowledgeBase: () => ({ confirm: 'Realm docs' }),
  createSource: () => ({ type: 'push', name: 'pushed', config: {} }),
  updateSource: () => ({ name: 'pushed again' }),
  previewSource: () => UNREACHABLE,
  watchPreview: () => UNREACHABLE,
  pushDocuments: () => ({
    documents: ['faq-1', 'faq-2'].map((external_id) => ({
      external_id,
      title: external_id,
      url: `https://example.com/${external_id}`,
      markdown: 'Open **Settings**, then press *Rotate*.',
    })),
  }),
  createMcpServer: () => ({
    server_name: `realm-${randomBytes(6).toString('hex')}`,
    sign_in_type: 'api_key',
  }),
  createApproval: (records) => ({ agent_id: records['agent-apps'], title: 'Reply', content: 'On its way.' }),
  createSimulation: (records) => ({
    integration_id: records['helpdesk-integrations'],
    tickets: [{ body: 'How do I rotate my signing key?' }],
  }),
  createWebhookTrigger: () => ({
    name: 'hook',
    url: 'https://hooks.example.com/in',
    events: ['conversation.completed'],
  }),
  inviteMember: () => ({ email: `${randomBytes(6).toString('hex')}@example.com`, role: 'member' }),
  giveFeedback: (records) => ({ message_id: records['messageId'], rating: 'up' }),
  completeChat: (records) => ({
    model: records['knowledgeBaseId'],
    messages: [{ role: 'user', content: 'How?' }],
  }),
  readTicketFile: () => {
    const form = new FormData()
    form.append('file', new File(['How do keys rotate?'], 'tickets.txt'))
    return form
  },
  uploadFiles: () => {
    const form = new FormData()
    form.append('file', new File(['# Keys\n\nThey rotate.'], 'keys.md', { type: 'text/markdown' }))
    return form
  },
}

/** A valid body for the endpoint. */
export const bodyOf = (endpoint: Endpoint, records: Records): unknown =>
  BODIES[endpoint.operationId]?.(records) ?? sampleBody(endpoint)

/** Endpoints that accept records of only one kind of their noun. */
const OF_SPECIAL_KIND: Record<string, string> = {
  uploadFiles: 'sources of files',
  rateMessage: 'messages of the owner',
  getMyConversation: 'conversations of the owner',
  deleteMyConversation: 'conversations of the owner',
  withdrawRating: 'messages of the owner',
}

const PARAMETER = /\{(\w+)\}/g

/** The parameters of a path, each with the noun of its ids. */
export const parametersOf = ({ path, operationId }: Endpoint): { name: string; noun: string }[] =>
  [...path.matchAll(PARAMETER)].map(({ 1: name = '', index }) => {
    if (name !== 'id') return { name, noun: name }
    const before =
      path
        .slice(0, index - 1)
        .split('/')
        .at(-1) ?? ''
    return { name, noun: OF_SPECIAL_KIND[operationId] ?? before }
  })

/** The path with the ids of these records. Throws for a parameter without a record: its endpoint would not be tested. */
export function pathWith(endpoint: Endpoint, records: Records): string {
  let path: string = endpoint.path
  for (const { name, noun } of parametersOf(endpoint)) {
    const id = records[noun]
    if (id === undefined || id === '') {
      throw new Error(
        `${endpoint.operationId}: ${endpoint.path} takes an id of "${noun}", and the authorization matrix has no such record. Make one in addRealm() of service/test/authorization-world.ts, as records['${noun}'].`,
      )
    }
    path = path.replace(`{${name}}`, encodeURIComponent(id))
  }
  return path
}
