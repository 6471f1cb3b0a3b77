import { MAX_FILE_BYTES } from './file-tree.ts'
import { endGit, startGit } from './git.ts'

/** Reads blobs of a repository through one `git cat-file --batch`, one after another. */
export interface BlobReader extends Disposable {
  read(hash: string): Promise<Uint8Array>
}

/** Maximum length of the header line before the bytes: a hash, a type and a size. */
const MAX_LINE_BYTES = 256

export function openBlobs(gitFolder: string, signal: AbortSignal): BlobReader {
  const child = startGit(gitFolder, ['cat-file', '--batch'], { signal })
  const end = () => endGit(child)
  child.on('error', () => {})
  child.stderr?.resume()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const output = child.stdout?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  let turn: Promise<unknown> = Promise.resolve()

  async function more(): Promise<Buffer> {
    const { value, done } = await output.next()
    signal.throwIfAborted()
    if (done === true) throw new Error('git exited before it answered')
    return value
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
