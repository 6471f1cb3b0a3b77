import { spawn } from 'node:child_process'
import { gitArguments, gitEnvironment } from './git.ts'

/** Reads blobs out of a repository through one `git cat-file --batch`, one after another. */
export interface BlobReader extends Disposable {
  read(hash: string): Promise<Uint8Array>
}

export function openBlobs(gitFolder: string): BlobReader {
  const child = spawn('git', [...gitArguments(), '--git-dir', gitFolder, 'cat-file', '--batch'], {
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // A git that ends early shows itself to whoever reads next.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  const output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest = Buffer.alloc(0)
  let turn: Promise<unknown> = Promise.resolve()

  async function more(): Promise<void> {
    const { value, done } = await output.next()
    if (done === true) throw new Error('git ended before it had answered')
    rest = Buffer.concat([rest, value])
  }

  async function take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [rest]
    let size = rest.length
    while (size < bytes) {
      const { value, done } = await output.next()
      if (done === true) throw new Error('git ended before it had answered')
      parts.push(value)
      size += value.length
    }
    const all = Buffer.concat(parts)
    rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async function readNext(hash: string): Promise<Uint8Array> {
    child.stdin.write(`${hash}\n`)
    while (!rest.includes(10)) await more()
    const line = (await take(rest.indexOf(10) + 1)).toString('utf8').trim()
    const [, type, size] = line.split(' ')
    if (type !== 'blob') throw new Error(`git has no file ${hash}`)
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
      child.kill('SIGKILL')
    },
  }
}
