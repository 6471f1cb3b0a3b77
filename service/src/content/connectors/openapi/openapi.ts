import type { SourceConfig } from '@citewell/contract/source-configs'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { ParseFailure, type OperationPage, type Parsing } from '../../parsing/parsing.ts'
import {
  SourceFailure,
  type Connector,
  type ConnectorInput,
  type PageMemory,
  type SourceItem,
} from '../connector.ts'

export type OpenApiConfig = SourceConfig<'openapi'>

export interface OpenApiDeps {
  outbound: Outbound
  parseOpenApi: Parsing['parseOpenApi']
  allowLocalPaths: boolean
}

const MAX_BYTES = 52_428_800
const STATE_VERSION = 1

const State = z.object({ version: z.literal(STATE_VERSION), operations: z.array(z.string()) })

interface Description {
  bytes: Uint8Array
  mediaType: string
  /** Where readers can see it. */
  url: string
  etag: string | undefined
  lastModified: string | undefined
  modifiedAt: Date | undefined
}

const typeByName = (path: string) => (/\.ya?ml$/i.test(path) ? 'application/yaml' : 'application/json')

async function readFromDisk(path: string, allowLocalPaths: boolean): Promise<Description> {
  if (!allowLocalPaths) {
    throw new SourceFailure(
      `${JSON.stringify(path)} is not a web address. Paths on the disk of this service are only for its operator.`,
    )
  }
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined || !found.isFile()) throw new SourceFailure(`There is no file ${full}.`)
  if (found.size > MAX_BYTES) throw new SourceFailure(`${full} is larger than 50 MiB.`)
  return {
    bytes: await readFile(full),
    mediaType: typeByName(full),
    url: basename(full),
    etag: undefined,
    lastModified: undefined,
    modifiedAt: found.mtime,
  }
}

/** Reads an API description as a document for each of its operations. */
export function createOpenApiConnector(deps: OpenApiDeps): Connector<OpenApiConfig> {
  /** Undefined: as it is remembered. */
  async function readFromWeb(
    url: string,
    memory: PageMemory | undefined,
    signal: AbortSignal,
  ): Promise<Description | undefined> {
    const response = await deps.outbound.fetchOutbound(url, {
      chosenBy: 'customer',
      headers: {
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
      url: response.url.href,
      etag: response.headers.get('etag') ?? undefined,
      lastModified,
      modifiedAt: Number.isNaN(time) ? undefined : new Date(time),
    }
  }

  async function readDescription(
    url: string,
    memory: PageMemory | undefined,
    signal: AbortSignal,
  ): Promise<Description | undefined> {
    try {
      if (/^https?:\/\//i.test(url)) return await readFromWeb(url, memory, signal)
      return await readFromDisk(url, deps.allowLocalPaths)
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

  async function* read(input: ConnectorInput<OpenApiConfig>): AsyncGenerator<SourceItem, void, void> {
    const { config, signal } = input
    const memory = await input.recall(config.url)
    const state = State.safeParse(memory?.state)
    const isKnown = memory !== undefined && state.success
    const description = await readDescription(config.url, isKnown ? memory : undefined, signal)
    const bodyHash = description && createHash('sha256').update(description.bytes).digest('hex')
    if (isKnown && state.success && (bodyHash === undefined || bodyHash === memory.bodyHash)) {
      const { operations } = state.data
      yield { kind: 'discovered', count: operations.length }
      for (const [at, externalId] of operations.entries()) {
        yield { kind: 'unchanged', externalId, memory: at === operations.length - 1 ? memory : undefined }
      }
      return
    }
    if (description === undefined) return

    const operations = await parse(description, signal)
    if (operations.length === 0) throw new SourceFailure(`${config.url} describes no operations.`)
    yield { kind: 'discovered', count: operations.length }
    for (const [at, { name, anchor, document }] of operations.entries()) {
      // The description is remembered with its last operation: a sync that ended before it has to read all of it again.
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
        url: `${description.url.replace(/#.*$/, '')}#${anchor}`,
        document,
        modifiedAt: description.modifiedAt,
        memory: isLast ? kept : undefined,
      }
    }
  }
  return { type: 'openapi', read }
}
