/** An MCP server that people sign in to. */
export interface SignInServer {
  id: string
  serverName: string
  /** Undefined at the portal, which reads the bases that a member chooses. */
  knowledgeBaseId: string | undefined
  /** The name that may be shown without access. */
  knowledgeBaseName: string
  signInType: 'public' | 'internal' | 'portal'
  /** Sign-in is no longer offered; people who signed in before get an error that says it is archived. */
  isArchived: boolean
}

/** The server at which a member reads several bases. Its name is reserved, so that no other server can have it. */
export const PORTAL: SignInServer = {
  id: '00000000-0000-4000-8000-000000000000',
  serverName: 'portal',
  knowledgeBaseId: undefined,
  knowledgeBaseName: 'your knowledge bases',
  signInType: 'portal',
  isArchived: false,
}

/** Loopback hosts of the reader's own machine. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The scope of every server: reading with its tools. */
export const MCP_SCOPE = 'mcp'

/** Characters that no address contains; PostgreSQL cannot store NUL in text. */
const CONTROL_CHARACTER = /\p{Cc}/u

export const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTER.test(text)

/**
 * Normalizes an address: removes the trailing slash that some tools add, and lowercases the host as browsers do. Undefined for an invalid
 * address, or one with control characters, which URL parsing would drop.
 */
export function canonicalResource(resource: string): string | undefined {
  const url = URL.parse(resource)
  if (url === null || /[?#@]/u.test(resource) || hasControlCharacter(resource)) return undefined
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** The name of the server at an address of this service; undefined for anything else. */
export function serverNameOf(resource: string, publicUrl: string): string | undefined {
  const canonical = canonicalResource(resource)
  const start = `${publicUrl}/mcp/`
  if (canonical === undefined || !canonical.startsWith(start)) return undefined
  const name = canonical.slice(start.length)
  return /^[a-z0-9-]{3,63}$/.test(name) ? name : undefined
}

/** Address of the metadata of a protected resource (RFC 9728): the well-known part precedes the path. */
export const metadataAddress = (publicUrl: string, serverName: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp/${serverName}`

/** The metadata at that address. */
export function resourceMetadata(publicUrl: string, server: SignInServer) {
  return {
    resource: `${publicUrl}/mcp/${server.serverName}`,
    resource_name: server.knowledgeBaseName,
    authorization_servers: [publicUrl],
    scopes_supported: [MCP_SCOPE],
    bearer_methods_supported: ['header'],
  }
}
