/** A knowledge base as one caller may read it over MCP. */
export interface ReadableBase {
  id: string
  name: string
  language: string | undefined
  persona: string | undefined
  tone: string | undefined
  standingInstructions: string | undefined
  /** Only sources of these groups; undefined for all of them. */
  groupIds: string[] | undefined
  /** Whether whole pages may be read. */
  offersDocuments: boolean
}

/** Who reads, wherever it is. Made anew for each request. */
export interface AnyReader {
  /** By a key; signed in as a reader, or as a member; or as a member at the portal. */
  kind: 'key' | 'public' | 'internal' | 'portal'
  /** Also restricted documents: on internal servers and the portal alone. */
  includeRestricted: boolean
  /** The key that reads; undefined where a person is signed in. */
  clientKeyId: string | undefined
  /** The person who reads: a reader by an opaque id, a member by theirs; undefined where a key does. */
  userRef: string | undefined
  /** Name of the server; undefined at the generic address and the portal. */
  serverName: string | undefined
}

/** Somebody who reads the one base of an address. */
export interface McpReader extends AnyReader {
  base: ReadableBase
}

/** A member who reads several bases at the portal: those that they chose and may chat in, by name. */
export interface PortalReader extends AnyReader {
  kind: 'portal'
  bases: readonly (ReadableBase & { description: string | undefined })[]
}
