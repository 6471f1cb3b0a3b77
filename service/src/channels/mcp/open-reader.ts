import type { Joined } from '../../platform/storage/tables.ts'
import { LIMITS } from '@citewell/contract/limits'
import type { AskedBase } from '../../answers/answering/answering.ts'
import type { ClientCredentials, ClientKeys, KeyedBase } from '../../accounts/client-keys/client-keys.ts'
import { askableBases, basesOfMember, type MemberBasesDb } from '../../accounts/grants/grants.ts'
import { wouldBeLetIn } from '../../accounts/permissions/permissions.ts'
import { oneLine } from '../../kernel/one-line.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { PORTAL } from '../oauth/oauth.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'
import { genericCredentials, serverCredentials } from './mcp-credentials.ts'
import type { McpReader, PortalReader, ReadableBase } from './mcp-reader.ts'
import { findReadBase, findServerByName, type McpDb, type McpServerAt, type ReadBase } from './mcp-store.ts'

/** The signed-in person behind a token, and the bases they chose for the tool, which count at the portal only. */
export interface PersonOfToken {
  /** `reader:…` or `user:…`. */
  accountId: string
  /** Every base that they may chat in, including future ones. */
  readsAll: boolean
  knowledgeBaseIds: readonly string[]
}

export interface OpenReaderDeps {
  db: Joined<McpDb | MemberBasesDb>
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  /** The person behind a token that was issued for the server at this address. */
  personOfToken: (token: string, resource: string) => Promise<PersonOfToken | undefined>
  /** Whether readers can sign in, which needs an identity provider. */
  offersReaderSignIn: boolean
  /** Public URL of the service, without a trailing slash; known once it listens. */
  publicUrl: () => string
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no MCP server at this address.' })
const NEEDS_KEY_OF_BASE = 'Send a client key of this knowledge base: Authorization: Bearer <client key>.'
const NEEDS_ANY_KEY =
  'Send any client key with MCP access: as Authorization: Bearer <client key>, as X-Client-Key: <client key>, or as ?client_key=<client key> in the address.'
const needsKey = (because: string) => new Refusal('UNAUTHENTICATED', { because })

/** A request without a valid token to a server with sign-in: the response says where to sign in. */
export class SignInRequired extends Refusal {
  readonly serverName: string
  /** A token was sent, and is not valid (any more). */
  readonly hadToken: boolean

  constructor(serverName: string, hadToken: boolean) {
    super('UNAUTHENTICATED', { because: 'Sign in to read this server: your tool opens a page for it.' })
    this.serverName = serverName
    this.hadToken = hadToken
  }
}

function requireActive({ status }: Pick<KeyedBase, 'status'>): void {
  if (status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
}

/** A person chose the name, and a model reads it: one line, of what is seen. */
const readable = (base: AskedBase & Pick<KeyedBase, 'settings'>, groupIds: string[]): ReadableBase => ({
  ...base,
  name: oneLine(base.name, LIMITS.knowledgeBaseName.max),
  groupIds: groupIds.length === 0 ? undefined : groupIds,
  offersDocuments: base.settings.mcp_documents_enabled,
})

/** Authenticates the reader at an address. Everything is looked up for each request, so that revoked access ends immediately. */
export function createReaders(deps: OpenReaderDeps) {
  const { db, clientKeys } = deps

  async function readByKey(
    credentials: ClientCredentials | undefined,
    server: McpServerAt | undefined,
  ): Promise<McpReader> {
    if (credentials === undefined) throw needsKey(server === undefined ? NEEDS_ANY_KEY : NEEDS_KEY_OF_BASE)
    const key = await clientKeys.authenticateClient(credentials)
    // A key of another base is not a valid credential here, and the refusal reveals nothing about the server.
    if (server !== undefined && key.knowledgeBaseId !== server.knowledge_base_id)
      throw needsKey(NEEDS_KEY_OF_BASE)
    if (!key.allowMcpAccess) throw new Refusal('MCP_NOT_ENABLED')
    requireActive(key.base)
    return {
      kind: 'key',
      base: readable(key.base, key.allowedSourceGroupIds),
      includeRestricted: false,
      clientKeyId: key.clientKeyId,
      userRef: undefined,
      serverName: server?.server_name,
      serverId: server?.id,
    }
  }

  async function openBase(knowledgeBaseId: string): Promise<ReadBase> {
    const base = await findReadBase(db, knowledgeBaseId)
    if (base === undefined) throw notFound()
    requireActive(base)
    return base
  }

  /** The person of this kind who signed in at this server. Throws SignInRequired. */
  async function signedIn(
    request: Request,
    serverName: string,
    kind: 'reader' | 'user',
  ): Promise<PersonOfToken & { id: string }> {
    const token = bearerOf(request.headers)
    const resource = `${deps.publicUrl()}/mcp/${serverName}`
    const person = token === undefined ? undefined : await deps.personOfToken(token, resource)
    const start = `${kind}:`
    if (person?.accountId.startsWith(start) !== true)
      throw new SignInRequired(serverName, token !== undefined)
    return { ...person, id: person.accountId.slice(start.length) }
  }

  /** A member at an internal server: reads the whole base, as long as they may chat in it. */
  async function readAsMember(request: Request, server: McpServerAt): Promise<McpReader> {
    const { id: serverId, server_name: serverName, knowledge_base_id: knowledgeBaseId } = server
    const { id: userId } = await signedIn(request, serverName, 'user')
    const [base] = await basesOfMember(db, userId, [knowledgeBaseId])
    if (base?.mayChat !== true)
      throw new Refusal('FORBIDDEN', {
        because:
          'You may not chat in this knowledge base. Ask an owner or admin of its workspace for access.',
      })
    requireActive(base)
    if (base.type !== 'internal') throw notFound()
    return {
      kind: 'internal',
      base: readable(base, []),
      includeRestricted: true,
      clientKeyId: undefined,
      userRef: userId,
      isStillAllowed: () => wouldBeLetIn(() => readAsMember(request, server)),
      serverName,
      serverId,
    }
  }

  /**
   * At `/mcp/portal`: the bases that a member chose for the tool, as long as they may chat in them.
   *
   * @throws Refusal UNAUTHENTICATED; FORBIDDEN if none of them remains
   */
  async function atPortal(request: Request): Promise<PortalReader> {
    const person = await signedIn(request, PORTAL.serverName, 'user')
    const chosen = person.readsAll ? undefined : person.knowledgeBaseIds
    const bases = await askableBases(db, person.id, chosen)
    if (bases.length === 0)
      throw new Refusal('FORBIDDEN', {
        because: `This tool has no knowledge base that it may read. Choose some at ${deps.publicUrl()}/account/connected-tools, or ask an owner or admin of a workspace for access.`,
      })
    return {
      kind: 'portal',
      bases: bases.map((base) => ({ ...readable(base, []), description: base.description ?? undefined })),
      includeRestricted: true,
      clientKeyId: undefined,
      userRef: person.id,
      isStillAllowed: (id) =>
        wouldBeLetIn(async () => {
          const now = await atPortal(request)
          if (!now.bases.some((still) => still.id === id)) throw new Refusal('FORBIDDEN')
        }),
      serverName: undefined,
    }
  }

  /** A reader who signed in at a public server: only public documents, even if the person is also a member. */
  async function readBySignIn(
    request: Request,
    { id: serverId, server_name: serverName, knowledge_base_id: knowledgeBaseId }: McpServerAt,
  ): Promise<McpReader> {
    if (!deps.offersReaderSignIn)
      throw new Refusal('UNAVAILABLE', {
        because:
          'Sign-in is not set up on this service, so this server cannot be used. Ask the operator to set up an identity provider, or for the address of another server.',
        isRetryable: false,
      })
    const { accountId } = await signedIn(request, serverName, 'reader')
    const base = await openBase(knowledgeBaseId)
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    return {
      kind: 'public',
      base: readable(base, []),
      includeRestricted: false,
      clientKeyId: undefined,
      userRef: accountId,
      serverName,
      serverId,
    }
  }

  /** At `/mcp`: any client key with MCP access. */
  async function atGenericAddress(request: Request): Promise<McpReader> {
    return await readByKey(genericCredentials(request), undefined)
  }

  /**
   * At `/mcp/<server_name>`.
   *
   * @throws Refusal NOT_FOUND, UNAUTHENTICATED, MCP_NOT_ENABLED, KNOWLEDGE_BASE_INTERNAL, KNOWLEDGE_BASE_ARCHIVED; FORBIDDEN for a member
   * who may not chat in the base; UNAVAILABLE if no identity provider is configured for readers
   */
  async function atServer(request: Request, serverName: string): Promise<McpReader> {
    const server = await findServerByName(db, serverName)
    if (server === undefined) throw notFound()
    if (server.sign_in_type === 'public') return await readBySignIn(request, server)
    if (server.sign_in_type === 'internal') return await readAsMember(request, server)
    return await readByKey(serverCredentials(request), server)
  }

  return { atGenericAddress, atServer, atPortal }
}
