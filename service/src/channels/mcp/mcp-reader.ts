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

/** Who reads at an address, and what they may see there. Made anew for each request. */
export interface McpReader {
  base: ReadableBase
  /** Also restricted documents: on internal servers and the portal alone. */
  includeRestricted: boolean
  /** The key that reads; undefined where a person is signed in. */
  clientKeyId: string | undefined
  /** The person who reads, by an opaque id; undefined where a key does. */
  userRef: string | undefined
  /** Name of the server; undefined at the generic address. */
  serverName: string | undefined
}
