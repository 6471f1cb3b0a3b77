import type { ClientCredentials, ClientKeys } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bearerOf, genericCredentials, serverCredentials } from './mcp-credentials.ts'
import type { McpReader } from './mcp-reader.ts'
import { findReadBase, findServerByName, type McpDb } from './mcp-store.ts'

export interface OpenReaderDeps {
  db: McpDb
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  /** The person behind a token that was made for the server at this address. */
  personBehind: (token: string, resource: string) => Promise<{ accountId: string } | undefined>
  /** Whether readers have a provider to sign in with. */
  offersReaders: boolean
  /** The service's address, without a slash at its end; known once it listens. */
  publicUrl: () => string
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no MCP server at this address.' })
const unauthenticated = () =>
  new Refusal('UNAUTHENTICATED', {
    because: 'Send a client key of this knowledge base: Authorization: Bearer <client key>.',
  })

/** A server that is read after signing in, asked without a good token: the answer says where to sign in. */
export class SignInNeeded extends Refusal {
  readonly serverName: string
  /** A token was sent, and is no good (any more). */
  readonly hadToken: boolean

  constructor(serverName: string, hadToken: boolean) {
    super('UNAUTHENTICATED', { because: 'Sign in to read this server: your tool opens a page for it.' })
    this.serverName = serverName
    this.hadToken = hadToken
  }
}

type ReadBaseRow = NonNullable<Awaited<ReturnType<typeof findReadBase>>>

const readable = (base: ReadBaseRow, groupIds: string[]): McpReader['base'] => ({
  id: base.id,
  name: base.name,
  language: base.language ?? undefined,
  persona: base.persona ?? undefined,
  tone: base.tone ?? undefined,
  standingInstructions: base.standing_instructions ?? undefined,
  groupIds: groupIds.length === 0 ? undefined : groupIds,
  offersDocuments: base.settings.mcp_documents_enabled,
})

/** Finds out who reads at an address. Everything is looked up for each request, so that what is taken away is gone at once. */
export function createReaders(deps: OpenReaderDeps) {
  const { db, clientKeys } = deps

  async function readByKey(
    credentials: ClientCredentials | undefined,
    server: { serverName: string; knowledgeBaseId: string } | undefined,
  ): Promise<McpReader> {
    if (credentials === undefined) throw unauthenticated()
    const key = await clientKeys.authenticateClient(credentials)
    // A key of another base is no credential here, and tells nothing about the server.
    if (server !== undefined && key.knowledgeBaseId !== server.knowledgeBaseId) throw unauthenticated()
    if (!key.allowMcpAccess) throw new Refusal('MCP_NOT_ENABLED')
    const base = await openBase(key.knowledgeBaseId)
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    return {
      base: readable(base, key.allowedSourceGroupIds),
      includeRestricted: false,
      clientKeyId: key.clientKeyId,
      userRef: undefined,
      serverName: server?.serverName,
    }
  }

  async function openBase(knowledgeBaseId: string): Promise<ReadBaseRow> {
    const base = await findReadBase(db, knowledgeBaseId)
    if (base === undefined) throw notFound()
    if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
    return base
  }

  /** A reader who signed in at a public server: public documents, whatever else they may be elsewhere. */
  async function readBySignIn(
    request: Request,
    serverName: string,
    knowledgeBaseId: string,
  ): Promise<McpReader> {
    if (!deps.offersReaders) {
      throw new Refusal('UNAVAILABLE', { because: 'Signing in is not set up on this service.' })
    }
    const token = bearerOf(request.headers)
    const resource = `${deps.publicUrl()}/mcp/${serverName}`
    const person = token === undefined ? undefined : await deps.personBehind(token, resource)
    if (person === undefined || !person.accountId.startsWith('reader:')) {
      throw new SignInNeeded(serverName, token !== undefined)
    }
    const base = await openBase(knowledgeBaseId)
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    return {
      base: readable(base, []),
      includeRestricted: false,
      clientKeyId: undefined,
      userRef: person.accountId,
      serverName,
    }
  }

  /** At `/mcp`: any client key with MCP access. */
  async function atGenericAddress(request: Request): Promise<McpReader> {
    return await readByKey(genericCredentials(request), undefined)
  }

  /**
   * At `/mcp/<server_name>`.
   *
   * @throws Refusal NOT_FOUND, UNAUTHENTICATED, MCP_NOT_ENABLED, KNOWLEDGE_BASE_INTERNAL, KNOWLEDGE_BASE_ARCHIVED; UNAVAILABLE for a
   * server whose readers sign in
   */
  async function atServer(request: Request, serverName: string): Promise<McpReader> {
    const server = await findServerByName(db, serverName)
    if (server === undefined) throw notFound()
    if (server.sign_in_type === 'public') {
      return await readBySignIn(request, server.server_name, server.knowledge_base_id)
    }
    if (server.sign_in_type === 'internal') {
      throw new Refusal('UNAVAILABLE', { because: 'Signing in as a member is not set up on this service.' })
    }
    return await readByKey(serverCredentials(request), {
      serverName: server.server_name,
      knowledgeBaseId: server.knowledge_base_id,
    })
  }

  return { atGenericAddress, atServer }
}
