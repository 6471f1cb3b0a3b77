import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { signInAsReader } from './sign-in-as-reader.ts'
import type { ToolMemory } from './tool-memory.ts'

/** A tool that is connected, made with one of the two libraries. */
export interface ConnectedTool {
  toolNames(): Promise<string[]>
  search(query: string): Promise<string>
  close(): Promise<void>
}

const NAME = { name: 'A tool', version: '1' }

const calling = (query: string) => ({ name: 'search_docs', arguments: { query } })

async function connectNewer(address: string, { provider, opened }: ToolMemory): Promise<ConnectedTool> {
  const url = new URL(address)
  const newTransport = () => new StreamableHTTPClientTransport(url, { authProvider: provider })
  let client = new Client(NAME)
  const first = newTransport()
  try {
    await client.connect(first)
  } catch (refused) {
    const page = opened.at(-1)
    if (page === undefined) throw refused
    await first.finishAuth((await signInAsReader(page)).searchParams)
    client = new Client(NAME)
    await client.connect(newTransport())
  }
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    search: async (query) => JSON.stringify(await client.callTool(calling(query))),
    close: async () => await client.close(),
  }
}

async function connectOlder(address: string, { provider, opened }: ToolMemory): Promise<ConnectedTool> {
  const url = new URL(address)
  const newTransport = () => new OlderTransport(url, { authProvider: provider })
  let client = new OlderClient(NAME)
  const first = newTransport()
  try {
    await client.connect(first)
  } catch (refused) {
    const page = opened.at(-1)
    if (page === undefined) throw refused
    await first.finishAuth((await signInAsReader(page)).searchParams.get('code') ?? '')
    client = new OlderClient(NAME)
    await client.connect(newTransport())
  }
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    search: async (query) => JSON.stringify(await client.callTool(calling(query))),
    close: async () => await client.close(),
  }
}

/** Both generations: each connects, with a sign-in by a scripted browser where the server asks for one. */
export const LIBRARIES = { '2.4.0': connectNewer, '1.32.2': connectOlder } as const
