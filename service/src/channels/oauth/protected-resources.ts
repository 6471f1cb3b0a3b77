/** A server that people sign in to. */
export interface SignInServer {
  id: string
  serverName: string
  /** Undefined at the portal, which reads those that a person chooses. */
  knowledgeBaseId: string | undefined
  /** As strangers may be shown it. */
  knowledgeBaseName: string
  signInType: 'public' | 'internal' | 'portal'
  /** Nobody is asked to sign in to it; whoever did before is told that it is archived. */
  isArchived: boolean
}

/** Where a member reads several bases at once. Its name is reserved, so that no other server can have it. */
export const PORTAL: SignInServer = {
  id: '00000000-0000-4000-8000-000000000000',
  serverName: 'portal',
  knowledgeBaseId: undefined,
  knowledgeBaseName: 'your knowledge bases',
  signInType: 'portal',
  isArchived: false,
}

/** Names of the reader's own machine. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The scope of every server: to read it with its tools. */
export const MCP_SCOPE = 'mcp'

/** What no address has in it, and PostgreSQL stores in no text. */
const CONTROL_CHARACTER = /\p{Cc}/u

export const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTER.test(text)

/**
 * Without the slash that some tools add, and with its host as browsers write it; undefined for what is no address, also for one with
 * control characters, which reading an address would drop.
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

/** Where a server says how to sign in (RFC 9728): the well-known part before the path. */
export const metadataAddress = (publicUrl: string, serverName: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp/${serverName}`

/** What it says there. */
export function resourceMetadata(publicUrl: string, server: SignInServer) {
  return {
    resource: `${publicUrl}/mcp/${server.serverName}`,
    resource_name: server.knowledgeBaseName,
    authorization_servers: [publicUrl],
    scopes_supported: [MCP_SCOPE],
    bearer_methods_supported: ['header'],
  }
}
