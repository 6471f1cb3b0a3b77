import { z } from 'zod'
import type { ConnectorInput, PageMemory, SourceItem } from '../connector.ts'
import { leftOutOf, mediaTypeOfFile } from '../../parsing/parsing.ts'
import type { Parsing } from '../../parsing/parsing.ts'
import { MAX_FILE_BYTES, type FileTree, type TreeFile } from './file-tree.ts'
import { CUT_INCLUDES, inlineIncludes } from './inline-includes.ts'

/** Increment when a page may be parsed differently: all pages are then read again. */
const STATE_VERSION = 3

/** What is remembered of a file besides the hash of its contents. */
const State = z.object({
  version: z.literal(STATE_VERSION),
  url: z.string(),
  includes: z.record(z.string(), z.string()),
})

const MAY_INCLUDE = new Set(['text/markdown', 'text/mdx', 'text/x-rst', 'text/asciidoc'])

export interface ReadFileGiven {
  tree: FileTree
  byPath: Map<string, TreeFile>
  /** Where a reader can open the file. */
  url: string
  parse: Parsing['parse']
  input: Pick<ConnectorInput<unknown>, 'signal' | 'recall'>
}

/** The beginning of what stands in a repository for a file of Git LFS: its content is on another server. */
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/')

const isLfsPointer = (bytes: Uint8Array) => LFS_POINTER.equals(bytes.subarray(0, LFS_POINTER.length))

/** Whether a file, and all that it includes, is unchanged since it was remembered. */
function isUnchanged(
  file: TreeFile,
  memory: PageMemory,
  url: string,
  byPath: Map<string, TreeFile>,
): boolean {
  const state = State.safeParse(memory.state)
  if (!state.success || state.data.url !== url || memory.externalId !== file.path) return false
  const includes = Object.entries(state.data.includes)
  return memory.etag === file.hash && includes.every(([path, hash]) => byPath.get(path)?.hash === hash)
}

/** Turns one file into a document, or reports it unchanged. */
export async function readRepositoryFile(file: TreeFile, given: ReadFileGiven): Promise<SourceItem> {
  const { tree, byPath, url, parse, input } = given
  const { path } = file
  const memory = await input.recall(path)
  if (memory !== undefined && isUnchanged(file, memory, url, byPath))
    return { kind: 'unchanged', externalId: path, memory }
  const failed = (reason: string): SourceItem => ({
    kind: 'failed',
    url: path,
    reason,
    externalId: path,
    memory,
  })
  if (file.bytes > MAX_FILE_BYTES) return failed('it is larger than 10 MiB')

  try {
    const mediaType = mediaTypeOfFile(path) ?? 'text/plain'
    const raw = await tree.read(file)
    if (isLfsPointer(raw)) {
      const reason = 'its content is in Git LFS, which is not read'
      return { kind: 'skipped', url: path, reason, memory: undefined }
    }
    const includable = {
      bytesOf: (name: string) => byPath.get(name)?.bytes,
      read: async (name: string) => {
        const found = byPath.get(name)
        return found === undefined ? '' : new TextDecoder().decode(await tree.read(found))
      },
    }
    const inlined = MAY_INCLUDE.has(mediaType)
      ? await inlineIncludes(path, new TextDecoder().decode(raw), includable, input.signal)
      : { text: '', includes: [], isCut: false }
    const bytes = inlined.includes.length === 0 ? raw : new TextEncoder().encode(inlined.text)
    // Links need a web address as their base; a file without one gets a base that leads nowhere.
    const base = URL.canParse(url) ? url : `file:///${path}`
    const parsed = await parse({ mediaType, bytes, url: base }, input.signal)
    const leftOut = [...(inlined.isCut ? [CUT_INCLUDES] : []), ...(parsed.document.leftOut ?? [])]
    const document = { ...parsed.document, ...leftOutOf(leftOut) }
    const includes = Object.fromEntries(inlined.includes.map((name) => [name, byPath.get(name)?.hash ?? '']))
    const kept: PageMemory = {
      url: path,
      etag: file.hash,
      lastModified: undefined,
      bodyHash: undefined,
      externalId: path,
      state: { version: STATE_VERSION, url, includes },
    }
    if (parsed.textLength === 0)
      return { kind: 'skipped', url: path, reason: 'it contains no text', memory: undefined }
    return { kind: 'document', externalId: path, url, document, modifiedAt: file.modifiedAt, memory: kept }
  } catch (error) {
    input.signal.throwIfAborted()
    return failed(error instanceof Error ? error.message : 'it could not be parsed')
  }
}
