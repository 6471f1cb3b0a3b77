import type { AskedBase } from '../../answers/answering/answering.ts'

/** A knowledge base with what one caller may read of it over MCP. */
export interface ReadableBase extends AskedBase {
  /** Only sources of these groups; undefined for no limit. */
  groupIds: string[] | undefined
  /** Whether whole pages may be read. */
  offersDocuments: boolean
}

/** The caller of a request, at any address. Created for each request. */
export interface AnyReader {
  /** With a key; signed in as a reader, or as a member; or as a member at the portal. */
  kind: 'key' | 'public' | 'internal' | 'portal'
  /** Whether restricted documents may be read: only at internal servers and the portal. */
  includeRestricted: boolean
  /** The client key; undefined if a person is signed in. */
  clientKeyId: string | undefined
  /** The signed-in person: the opaque id of a reader, or the id of a member; undefined with a key. */
  userRef: string | undefined
  /** Whether a signed-in member may still read this base: asked again while an answer is written. */
  isStillAllowed?: (knowledgeBaseId: string) => Promise<boolean>
  /** Name of the server; undefined at the generic address and the portal. */
  serverName: string | undefined
}

/** A caller who reads the one base of an address. */
export interface McpReader extends AnyReader {
  base: ReadableBase
  /** The server; undefined at the generic address. */
  serverId: string | undefined
}

/** A member who reads several bases at the portal: those they chose and may chat in, sorted by name. */
export interface PortalReader extends AnyReader {
  kind: 'portal'
  bases: readonly (ReadableBase & { description: string | undefined })[]
}
