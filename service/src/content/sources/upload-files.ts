import { BODY_BYTES, DOCUMENT_TEXT } from '@citewell/contract/limits'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { StorageQuota } from '../../accounts/storage-quota/storage-quota.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import { readMultipart, type ArrivingFile } from '../../platform/files/read-multipart.ts'
import type { StoredFiles } from '../../platform/files/stored-files.ts'
import { asUnavailable } from '../../platform/storage/storage-unavailable.ts'
import { isTextType } from '../parsing/parsing.ts'
import type { SyncRow, Syncs } from '../syncs/syncs.ts'
import { makeDue } from './refresh-store.ts'
import {
  saveSourceFiles,
  type NewSourceFile,
  type SourceFileRow,
  type UploadsDb,
} from './source-files-store.ts'
import type { SourceRow } from './sources-store.ts'

export interface UploadsDeps {
  db: UploadsDb
  sources: {
    openActive(
      caller: Caller,
      sourceId: string,
      permission: 'config',
    ): Promise<{ source: SourceRow; base: { id: string } }>
  }
  syncs: Pick<Syncs, 'request'>
  files: StoredFiles
  /** The media type of a file by its name; undefined if it cannot be read. */
  mediaTypeOf: (name: string) => string | undefined
  /** Undefined: disk space is not checked. */
  freeSpace?: Pick<FreeSpace, 'reserve'> | undefined
  storageQuota?: Pick<StorageQuota, 'require'> | undefined
  newId: () => string
  now: () => Date
}

const MAX_FILES = 100
const MAX_NAME_LENGTH = 500

/**
 * A file's name as sent by the client, made safe to show and to compare: forward slashes, no `..`, no control characters.
 *
 * @example
 * cleanName('..\\docs\\Key rotation.pdf') // 'docs/Key rotation.pdf'
 */
function cleanName(name: string): string {
  const parts = name
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.replaceAll(/\p{C}/gu, '').trim())
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/')
}

/** Passes bytes through, and refuses them once there are too many. */
async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooMany: () => Refusal,
): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const part of bytes) {
    total += part.byteLength
    if (total > mostBytes) throw tooMany()
    yield part
  }
}

/** Stores uploaded files and syncs the `files` source. Either all files of a request are taken, or none. */
export function createUploads(deps: UploadsDeps) {
  const { db, sources, syncs, files, mediaTypeOf, freeSpace, storageQuota, newId, now } = deps

  async function storeFile(arriving: ArrivingFile): Promise<NewSourceFile> {
    const name = cleanName(arriving.name)
    if (name === '' || name.length > MAX_NAME_LENGTH)
      throw new Refusal('BAD_REQUEST', {
        because: `A file needs a name of at most ${MAX_NAME_LENGTH} characters.`,
      })
    const mediaType = mediaTypeOf(name)
    if (mediaType === undefined)
      throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
        because: `"${name}" cannot be read: send PDF, DOCX, Markdown, HTML, reStructuredText, AsciiDoc, notebooks, text, slides (PPTX) or tables (CSV, XLSX).`,
      })
    const tooLong = () =>
      new Refusal('PAYLOAD_TOO_LARGE', {
        because: `"${name}" contains more than ${DOCUMENT_TEXT / 1_048_576} MiB of text: split it into several documents.`,
      })
    // The length of the text in a PDF is known only after parsing.
    const bytes = isTextType(mediaType) ? limitBytes(arriving.bytes, DOCUMENT_TEXT, tooLong) : arriving.bytes
    return { ...(await files.store(bytes)), id: newId(), name, mediaType }
  }

  async function upload(
    caller: Caller,
    sourceId: string,
    request: Request,
  ): Promise<{ files: SourceFileRow[]; sync: SyncRow }> {
    const { source, base } = await sources.openActive(caller, sourceId, 'config')
    if (source.type !== 'files')
      throw new Refusal('CONFLICT', { because: 'Only files sources accept files.' })
    const declaredLength = Number(request.headers.get('content-length'))
    const mostBytes =
      declaredLength > 0 && declaredLength < BODY_BYTES.files ? declaredLength : BODY_BYTES.files
    // Checked before the first byte is stored: even refused bytes stay on disk for a while.
    await storageQuota?.require(db, base.id, declaredLength > 0 ? mostBytes : 0)
    const space = await freeSpace?.reserve('data', mostBytes)
    const arrived = new Map<string, NewSourceFile>()
    try {
      await readMultipart(request, { maxBytes: BODY_BYTES.files, maxFiles: MAX_FILES }, async (arriving) => {
        if (arriving.field !== 'file') return
        const stored = await storeFile(arriving)
        arrived.set(stored.name, stored)
      })
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      space?.release()
    }
    if (arrived.size === 0) throw wrongField('file', 'is required: send each file as a part of this name')
    const of = { knowledgeBaseId: base.id, sourceId, now: now() }
    const saved = await saveSourceFiles(
      db,
      of,
      [...arrived.values()],
      async (transaction) => await storageQuota?.require(transaction, base.id, 0),
    )
    const sync = await syncs.request(base.id, sourceId)
    // A running sync has listed the files before these were stored: request another one after it.
    if (sync.status === 'running') await makeDue(db, of)
    return { files: saved, sync }
  }

  return { upload }
}

export type Uploads = ReturnType<typeof createUploads>
