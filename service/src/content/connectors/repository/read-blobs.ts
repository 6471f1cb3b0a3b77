import type { ChildProcess } from 'node:child_process'
import { MAX_FILE_BYTES } from './file-tree.ts'
import { endGit, startGit } from './git.ts'

/** Reads blobs of a repository through one `git cat-file --batch`, one after another; it starts when the first is read. */
export interface BlobReader extends Disposable {
  read(hash: string): Promise<Uint8Array>
}

/** Maximum length of the header line before the bytes: a hash, a type and a size. */
const MAX_LINE_BYTES = 256

const EARLY_END = 'git exited before it answered'

export function openBlobs(gitFolder: string, signal: AbortSignal): BlobReader {
  let child: ChildProcess | undefined
  let output: AsyncIterator<Buffer> | undefined
  let hasEnded = false
  const end = () => {
    hasEnded = true
    if (child !== undefined) endGit(child)
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  let rest: Buffer = Buffer.alloc(0)
  let turn: Promise<unknown> = Promise.resolve()

  function start(): ChildProcess {
    if (hasEnded) throw new Error(EARLY_END)
    const started = startGit(gitFolder, ['cat-file', '--batch'], { signal })
    started.on('error', () => {})
    started.stderr?.resume()
    output = started.stdout?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    return started
  }

  async function more(): Promise<Buffer> {
    const answer = await output?.next()
    signal.throwIfAborted()
    if (answer === undefined || answer.done === true) throw new Error(EARLY_END)
    return answer.value
  }

  async function take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [rest]
    let size = rest.length
    while (size < bytes) {
      const part = await more()
      parts.push(part)
      size += part.length
    }
    const all = Buffer.concat(parts)
    rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async function readNext(hash: string): Promise<Uint8Array> {
    signal.throwIfAborted()
    child ??= start()
    child.stdin?.write(`${hash}\n`)
    while (!rest.includes(10)) {
      if (rest.length > MAX_LINE_BYTES) throw new Error('git gave an unexpected answer')
      rest = Buffer.concat([rest, await more()])
    }
    const line = (await take(rest.indexOf(10) + 1)).toString('utf8').trim()
    const [, type, size] = line.split(' ')
    if (type !== 'blob') throw new Error('it is not in the repository')
    if (Number(size) > MAX_FILE_BYTES) {
      end()
      throw new Error('it is larger than its recorded size')
    }
    const bytes = await take(Number(size))
    await take(1)
    return bytes
  }

  return {
    read: async (hash) => {
      const reading = turn.then(async () => await readNext(hash))
      turn = reading.catch(() => {})
      return await reading
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', end)
      end()
    },
  }
}
