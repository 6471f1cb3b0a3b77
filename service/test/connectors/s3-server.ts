import crypto from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TransformOptions } from 'node:stream'
import S3rver from '@20minutes/s3rver'
import type { ExpectedDocument, ProductModel } from './connector-world.ts'
import type { Random } from './random.ts'
import type { StandInRequest, StandInServer } from './stand-in-server.ts'

/** The key that the server knows; it checks signatures, and refuses wrong ones. */
export const S3_KEY = { user: 'S3RVER', password: 'S3RVER' }

const BUCKET = 'acme-docs'
const PREFIX = 'guide/'

/**
 * The server encrypts the place where a long list goes on with single DES, which OpenSSL 3 no longer has. Three times the same key is the
 * same cipher. The returned function takes it back.
 */
function bringBackDes(): () => void {
  const { createCipheriv, createDecipheriv } = crypto
  type Make = (name: string, key: Buffer, iv: Buffer, options?: TransformOptions) => unknown
  const triple =
    (make: Make): Make =>
    (name, key, iv, options) =>
      name === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : make(name, key, iv, options)
  Object.assign(crypto, {
    createCipheriv: triple(createCipheriv),
    createDecipheriv: triple(createDecipheriv),
  })
  return () => void Object.assign(crypto, { createCipheriv, createDecipheriv })
}

/**
 * A storage with the API of S3, run here (`s3rver`), with one bucket. Changes go in by the same API, without a signature, which this
 * server does not ask for. It escapes `&` and `'` in names twice, so there are none here.
 */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-s3-'))
  const storage = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  })
  await storage.configureBuckets()
  const takeBack = bringBackDes()
  const serve = storage.callback()
  const requests: StandInRequest[] = []
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://storage')
    const request = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: undefined,
    }
    if (request.method === 'GET') {
      requests.push(request)
      standIn.onRequest?.(request)
    }
    serve(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standIn: StandInServer = {
    origin,
    requests,
    forget: () => {
      requests.length = 0
    },
    misbehave: () => {
      throw new Error('A real server cannot be told to.')
    },
    behave: () => undefined,
    onRequest: undefined,
    [Symbol.asyncDispose]: async () => {
      takeBack()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }

  const addressOf = (key: string) => `${origin}/${BUCKET}/${key.split('/').map(encodeURIComponent).join('/')}`
  async function put(key: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
    const { ok, status } = await fetch(addressOf(key), { method: 'PUT', body })
    if (!ok) throw new Error(`The storage answered ${status}.`)
  }
  async function remove(key: string): Promise<void> {
    await fetch(addressOf(key), { method: 'DELETE' })
  }

  /** Objects by their keys, with the word in them. */
  const words = new Map<string, string>()
  let made = 0
  const word = () => `word${(made += 1)}x`
  const write = async (key: string, said: string) => {
    words.set(key, said)
    await put(
      key,
      `# About it\n\nThe word of this page is ${said}.\n\n| Plan | Limit |\n| --- | --- |\n| Free | 10 |\n`,
    )
  }
  const add = async (random: Random) =>
    await write(`${PREFIX}${random.of(['', 'a b/', 'ü+(1)/', 'a*!~/'])}page ${(made += 1)}.md`, word())

  const model: ProductModel = {
    type: 's3',
    config: { url: `${origin}/${BUCKET}/${PREFIX}`, publish_all: true },
    credentials: S3_KEY,
    server: standIn,
    documents: () =>
      new Map<string, ExpectedDocument>(
        [...words].map(([key, text]) => [key, { text, isRestricted: false }]),
      ),
    add,
    change: async (random) => {
      const kind = random.of(['add', 'edit', 'rename', 'delete', 'touch'])
      const one = words.size === 0 ? undefined : random.of([...words])
      if (one === undefined || kind === 'add') await add(random)
      else if (kind === 'edit') await write(one[0], word())
      else if (kind === 'touch') await write(one[0], one[1])
      else {
        words.delete(one[0])
        await remove(one[0])
        if (kind === 'rename') await write(`${PREFIX}moved/${(made += 1)}.md`, one[1])
      }
      return `${kind} ${one?.[0] ?? ''}`
    },
    // Hidden from nobody: most objects are deleted, and put back.
    hideMost: async () => {
      const gone = [...words].filter((_one, at) => at % 4 !== 0)
      for (const [key] of gone) await remove(key)
      return async () => {
        for (const [key, said] of gone) await write(key, said)
      }
    },
  }
  return { model, server: standIn, put, remove, words, [Symbol.asyncDispose]: standIn[Symbol.asyncDispose] }
}
