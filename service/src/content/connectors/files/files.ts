import type { SourceConfig } from '@citewell/contract/source-configs'
import type { Parsing } from '../../parsing/parsing.ts'
import type { Connector, ConnectorInput, SourceItem, SourceItems } from '../connector.ts'
import { mapInOrder } from '../map-in-order.ts'

/** An uploaded file. */
export interface UploadedFile {
  externalId: string
  name: string
  mediaType: string
  /** Changes when the bytes do. */
  hash: string
  modifiedAt: Date
  bytes(): Promise<Uint8Array>
}

export interface FilesDeps {
  parse: Parsing['parse']
  listFiles(sourceId: string): Promise<readonly UploadedFile[]>
}

export type FilesConfig = SourceConfig<'files'>

/** Files that are read and parsed ahead of the current one. */
const LOOKAHEAD = 4

/** Reads the files uploaded to a source, each as a document. */
export function createFilesConnector(deps: FilesDeps): Connector<FilesConfig> {
  async function readFile(file: UploadedFile, input: ConnectorInput<FilesConfig>): Promise<SourceItem> {
    const { externalId, name, hash, modifiedAt } = file
    const memory = await input.recall(externalId)
    if (memory?.bodyHash === hash && memory.externalId === externalId)
      return { kind: 'unchanged', externalId, memory }
    try {
      const bytes = await file.bytes()
      // A base address that resolves relative links to nowhere: an uploaded file has no siblings.
      const url = `file:///${encodeURIComponent(name)}`
      const { document, textLength } = await deps.parse(
        { mediaType: file.mediaType, bytes, url },
        input.signal,
      )
      if (textLength === 0)
        return {
          kind: 'failed',
          url: name,
          reason: 'it contains no text (perhaps it is a scan)',
          externalId,
          memory,
        }
      const kept = {
        url: externalId,
        etag: undefined,
        lastModified: undefined,
        bodyHash: hash,
        externalId,
        state: {},
      }
      return { kind: 'document', externalId, url: name, document, modifiedAt, memory: kept }
    } catch (error) {
      input.signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : 'it could not be parsed'
      return { kind: 'failed', url: name, reason, externalId, memory }
    }
  }

  async function* read(input: ConnectorInput<FilesConfig>): SourceItems {
    const files = await deps.listFiles(input.sourceId)
    yield { kind: 'discovered', count: files.length }
    yield* mapInOrder(files, LOOKAHEAD, async (file) => {
      input.signal.throwIfAborted()
      return await readFile(file, input)
    })
    // One that was deleted meanwhile may have been read before that: its document must not come back.
    const left = new Set((await deps.listFiles(input.sourceId)).map(({ externalId }) => externalId))
    for (const { externalId } of files) if (!left.has(externalId)) yield { kind: 'removed', externalId }
    yield { kind: 'complete' }
  }
  return { type: 'files', read }
}
