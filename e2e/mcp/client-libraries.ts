import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { signInAsReader } from './sign-in-as-reader.ts'
import type { ToolMemory } from './tool-memory.ts'

/** A connected tool, built with one of the two libraries. */
export interface ConnectedTool {
  toolNames(): Promise<string[]>
  /** Calls a tool, and returns the whole result as JSON. */
  call(name: string, input: Record<string, unknown>): Promise<string>
  search(query: string): Promise<string>
  close(): Promise<void>
}

/** Acts as the user's browser at the authorization URL. Returns the redirect URL. */
export type SignIn = (address: URL) => Promise<URL>

const NAME = { name: 'A tool', version: '1' }

/** The part of a client library that a tool needs: both have it, under the same names. */
interface Library<Transport> {
  newTransport: (url: URL, memory: ToolMemory) => Transport
  newClient: () => {
    connect: (transport: Transport) => Promise<void>
    listTools: () => Promise<{ tools: { name: string }[] }>
    callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
    close: () => Promise<void>
  }
  /** Passes on the redirect URL of the browser. */
  finish: (transport: Transport, back: URL) => Promise<void>
}

/** Connects a tool; if the server requires a sign-in, `signIn` does it. */
const connectWith =
  <Transport>({ newTransport, newClient, finish }: Library<Transport>) =>
  async (address: string, memory: ToolMemory, signIn: SignIn = signInAsReader): Promise<ConnectedTool> => {
    const url = new URL(address)
    let client = newClient()
    const first = newTransport(url, memory)
    try {
      await client.connect(first)
    } catch (refused) {
      const page = memory.opened.at(-1)
      if (page === undefined) throw refused
      await finish(first, await signIn(page))
      client = newClient()
      await client.connect(newTransport(url, memory))
    }
    const call = async (name: string, input: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: input }))
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call,
      search: async (query) => await call('search_docs', { query }),
      close: async () => await client.close(),
    }
  }

/** Both generations of the client library. */
export const LIBRARIES = {
  '2.4.0': connectWith({
    newTransport: (url, { provider }) => new StreamableHTTPClientTransport(url, { authProvider: provider }),
    newClient: () => new Client(NAME),
    finish: (transport, back) => transport.finishAuth(back.searchParams),
  }),
  '1.32.2': connectWith({
    newTransport: (url, { provider }) => new OlderTransport(url, { authProvider: provider }),
    newClient: () => new OlderClient(NAME),
    finish: (transport, back) => transport.finishAuth(back.searchParams.get('code') ?? ''),
  }),
} as const
