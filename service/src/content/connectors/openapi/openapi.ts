import type { SourceConfig } from '@citewell/contract/source-configs'
import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { z } from 'zod'
import { isSecretParameter } from '../../../kernel/redact-addresses.ts'
import { LocalPathRefused, type LocalPaths } from '../../../platform/files/local-paths.ts'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { ParseFailure, type OperationPage, type Parsing } from '../../parsing/parsing.ts'
import {
  markerMemory,
  SourceFailure,
  type Connector,
  type ConnectorInput,
  type PageMemory,
  type SourceCredentials,
  type SourceItems,
} from '../connector.ts'
import { basicOf } from '../repository/http-transport.ts'
import { readHandle } from '../repository/read-handle.ts'

export type OpenApiConfig = SourceConfig<'openapi'>

export interface OpenApiDeps {
  outbound: Outbound
  parseOpenApi: Parsing['parseOpenApi']
  /** Paths on this machine's disk that may be read. */
  localPaths: LocalPaths
}

const MAX_BYTES = 52_428_800
const STATE_VERSION = 2

const State = z.object({ version: z.literal(STATE_VERSION), operations: z.array(z.string()) })

interface Description {
  bytes: Uint8Array
  mediaType: string
  /** The address shown to readers. */
  url: string
  etag: string | undefined
  lastModified: string | undefined
  modifiedAt: Date | undefined
}

const typeByName = (path: string) => (/\.ya?ml$/i.test(path) ? 'application/yaml' : 'application/json')

async function readFromDisk(path: string, localPaths: LocalPaths, signal: AbortSignal): Promise<Description> {
  const place = await localPaths.find(path).catch((cause: unknown) => {
    if (!(cause instanceof LocalPathRefused)) throw cause
    throw new SourceFailure(cause.message, { cause, isRefused: true })
  })
  if (place === undefined || place.isFolder) throw new SourceFailure(`There is no file ${path}.`)
  const opened = await localPaths.openFile(place, place.path)
  return {
    bytes: await readHandle(opened, { mostBytes: MAX_BYTES, signal }),
    mediaType: typeByName(place.path),
    url: basename(place.path),
    etag: undefined,
    lastModified: undefined,
    modifiedAt: opened.stats.mtime,
  }
}

/** The address to request: including the query parameters that are stored sealed. */
function addressToAsk(url: string, query: Record<string, string> = {}): string {
  const asked = new URL(url)
  for (const [name, value] of Object.entries(query)) asked.searchParams.append(name, value)
  return asked.href
}

/** The address shown to readers: without credentials that a redirect added to it. */
function addressToShow(given: URL): string {
  const shown = new URL(given)
  const secret = [...shown.searchParams.keys()].filter((name) => isSecretParameter(name))
  for (const name of secret) shown.searchParams.delete(name)
  return shown.href
}

/** Reads an API description as one document per operation. */
export function createOpenApiConnector(deps: OpenApiDeps): Connector<OpenApiConfig> {
  /** Undefined: unchanged since it was remembered. */
  async function readFromWeb(
    url: string,
    credentials: SourceCredentials,
    memory: PageMemory | undefined,
    signal: AbortSignal,
  ): Promise<Description | undefined> {
    const authorization = basicOf(credentials)
    const response = await deps.outbound.fetchOutbound(addressToAsk(url, credentials.query), {
      chosenBy: 'customer',
      headers: {
        ...(authorization !== undefined && { authorization }),
        accept: 'application/json,application/yaml,text/yaml,*/*;q=0.5',
        ...(memory?.etag !== undefined && { 'if-none-match': memory.etag }),
        ...(memory?.lastModified !== undefined && { 'if-modified-since': memory.lastModified }),
      },
      signal,
      maxBytes: MAX_BYTES,
      timeoutMs: 60_000,
      followRedirects: true,
    })
    if (response.status === 304 && memory !== undefined) {
      await response.discard()
      return undefined
    }
    if (response.status !== 200) {
      await response.discard()
      throw new SourceFailure(
        `${url} could not be read: the server answered ${response.status}. Check the address.`,
      )
    }
    const lastModified = response.headers.get('last-modified') ?? undefined
    const time = Date.parse(lastModified ?? '')
    return {
      bytes: await response.bytes(),
      mediaType: response.headers.get('content-type') ?? typeByName(response.url.pathname),
      url: addressToShow(response.url),
      etag: response.headers.get('etag') ?? undefined,
      lastModified,
      modifiedAt: Number.isNaN(time) ? undefined : new Date(time),
    }
  }

  async function readDescription(
    url: string,
    credentials: SourceCredentials,
    memory: PageMemory | undefined,
    signal: AbortSignal,
  ): Promise<Description | undefined> {
    try {
      if (/^https?:\/\//i.test(url)) return await readFromWeb(url, credentials, memory, signal)
      return await readFromDisk(url, deps.localPaths, signal)
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      throw new SourceFailure(`${url} could not be read: ${error.message}`, { cause: error })
    }
  }

  async function parse(description: Description, signal: AbortSignal): Promise<OperationPage[]> {
    const { bytes, mediaType } = description
    const url = URL.canParse(description.url) ? description.url : `file:///${description.url}`
    try {
      return await deps.parseOpenApi({ bytes, mediaType, url }, signal)
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error
      throw new SourceFailure(
        `${description.url} could not be read as an API description: ${error.message}`,
        { cause: error },
      )
    }
  }

  /** Whether the index has each of these operations: one may have failed, or was deleted, while the description was read. */
  async function areIndexed(
    operations: readonly string[],
    { recall }: Pick<ConnectorInput<OpenApiConfig>, 'recall'>,
  ): Promise<boolean> {
    for (const name of operations) if ((await recall(name)) === undefined) return false
    return true
  }

  async function* read(input: ConnectorInput<OpenApiConfig>): SourceItems {
    const { config, credentials = {}, signal } = input
    const memory = await input.recall(config.url)
    const state = State.safeParse(memory?.state)
    // The last one has the memory of the description.
    const isKnown =
      memory !== undefined && state.success && (await areIndexed(state.data.operations.slice(0, -1), input))
    const description = await readDescription(config.url, credentials, isKnown ? memory : undefined, signal)
    const bodyHash = description && hash('sha256', description.bytes)
    if (isKnown && state.success && (bodyHash === undefined || bodyHash === memory.bodyHash)) {
      const { operations } = state.data
      yield { kind: 'discovered', count: operations.length }
      for (const [at, externalId] of operations.entries()) {
        const isLast = at === operations.length - 1
        yield { kind: 'unchanged', externalId, memory: isLast ? memory : markerMemory(externalId, '') }
      }
      yield { kind: 'complete' }
      return
    }
    // A 304 without a memory: nothing is known of the source, so nothing is removed.
    if (description === undefined) return

    const operations = await parse(description, signal)
    if (operations.length === 0) throw new SourceFailure(`${config.url} describes no operations.`)
    yield { kind: 'discovered', count: operations.length }
    for (const [at, { name, anchor, document }] of operations.entries()) {
      // The description's memory is stored with its last operation: a sync that ended earlier has to read all of it again.
      const isLast = at === operations.length - 1
      const kept: PageMemory = {
        url: config.url,
        etag: description.etag,
        lastModified: description.lastModified,
        bodyHash,
        externalId: name,
        state: { version: STATE_VERSION, operations: operations.map((operation) => operation.name) },
      }
      yield {
        kind: 'document',
        externalId: name,
        url: `${description.url.replace(/#[^]*/, '')}#${anchor}`,
        document,
        modifiedAt: description.modifiedAt,
        memory: isLast ? kept : markerMemory(name, ''),
      }
    }
    yield { kind: 'complete' }
  }
  return { type: 'openapi', read }
}
