import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbedder } from './create-embedder.ts'
import { readDefaultModel } from './default-model.ts'
import { withoutQueryCache, type Embedder } from './embedder.ts'
import { createLocalEmbedder } from './local-embedder.ts'

let folder: string
let embedder: Embedder
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewell-embedder-'))
  embedder = await createLocalEmbedder(await readDefaultModel())
})
afterAll(async () => {
  await embedder.close()
  await rm(folder, { recursive: true, force: true })
})

it('that is closed in the middle of a text ends, and the process goes on', async () => {
  const started = once(process, 'worker')
  const other = await createLocalEmbedder(await readDefaultModel())
  const [worker] = (await started) as [Worker]
  const exit = once(worker, 'exit')
  const long = 'How often are signing keys rotated? '.repeat(40)
  const ended = other.embedPassages(Array.from({ length: 20 }, () => long)).catch(String)
  // Otherwise nothing has begun.
  await other.embedQuery('keys')
  await other.close()
  expect(await ended).toContain('closed')
  // By itself, between two texts. One that is terminated in a text exits with 1, and the runtime of the model can abort the process.
  expect(await exit).toEqual([0])
})

const settings = { remote: undefined, localFolder: undefined }
const noNetwork = { fetch: () => Promise.reject(new Error('no network here')) }

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, axis) => sum + value * (right[axis] ?? 0), 0)

/** The default model's files in the layout of exporters, with `tokenizer.json` instead of `vocab.txt`. */
async function makeModelFolder(name: string, pooling: 'mean' | 'cls', prompts: Record<string, string>) {
  const model = await readDefaultModel()
  const target = join(folder, name)
  await mkdir(join(target, 'onnx'), { recursive: true })
  await mkdir(join(target, '1_Pooling'))
  await copyFile(model.modelFile, join(target, 'onnx', 'model.onnx'))
  const list = await readFile(join(model.tokenizerFolder, 'vocab.txt'), 'utf8')
  const vocab = Object.fromEntries(
    list
      .trimEnd()
      .split('\n')
      .map((piece, id) => [piece, id]),
  )
  const write = (file: string, content: object) => writeFile(join(target, file), JSON.stringify(content))
  await write('tokenizer.json', { normalizer: { lowercase: true }, model: { type: 'WordPiece', vocab } })
  await write('config.json', { hidden_size: 384, max_position_embeddings: 512 })
  await write('sentence_bert_config.json', { max_seq_length: 128 })
  await write('1_Pooling/config.json', { pooling_mode_cls_token: pooling === 'cls' })
  await write('config_sentence_transformers.json', { prompts })
  return target
}

describe('the built-in model', () => {
  it('returns the vectors of all-MiniLM-L6-v2, of length 1', async () => {
    const vector = await embedder.embedQuery('Hello world')
    expect(vector).toHaveLength(384)
    expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    // The published model's own values are -0.0345 0.0310 0.0067 0.0261 -0.0394 -0.1603 0.0669 -0.0064: eight-bit weights are slightly less exact.
    const expected = [-0.0102, 0.043, 0.0078, 0.0359, -0.0366, -0.1754, 0.0712, -0.0011]
    for (const [axis, value] of expected.entries()) expect(vector[axis]).toBeCloseTo(value, 2)
  })

  it('ranks a passage that answers the question closer than one that only shares words', async () => {
    const question = await embedder.embedQuery('How do I stop the server from running?')
    const [answer, other] = await embedder.embedPassages([
      'Press Ctrl+C to shut the process down.',
      'Running shoes are sold in every size. The server of the cafe brings them.',
    ])
    expect(cosine(question, answer ?? question)).toBeGreaterThan(cosine(question, other ?? question) + 0.1)
  })

  it('returns the same vector for a text whatever the rest of the batch', async () => {
    const alone = await embedder.embedPassages(['short'])
    const among = await embedder.embedPassages(['a much longer neighbour '.repeat(40), 'short', ''])
    expect(among[1]).toEqual(alone[0])
    expect(among).toHaveLength(3)
  })

  it('returns a vector for each part of a passage, and the same vector for the whole as without parts', async () => {
    const parts = ['Server guide', 'Press stop to end the server.', 'It rains in November.']
    const [alone] = await embedder.embedPassages([parts.join('\n')])
    const [inParts] = await embedder.embedInParts([parts])
    const question = await embedder.embedQuery('How do I stop the server from running?')
    expect(inParts?.whole).toEqual(alone)
    const [, stop = new Float32Array(), rain = new Float32Array()] = inParts?.parts ?? []
    expect(cosine(question, stop)).toBeGreaterThan(cosine(question, rain) + 0.1)
  })

  it('omits parts that lie beyond the maximum length of a passage', async () => {
    const [inParts] = await embedder.embedInParts([['Title', 'many words '.repeat(400), 'too late']])
    expect(inParts?.parts).toHaveLength(2)
  })

  describe('reading a question together with passages', () => {
    const question = 'How do I stop the server?'.split(' ')
    const stop = ['Server guide', 'Press Ctrl+C to shut the process down.', 'It rains in November.']
    const rain = ['Weather', 'It rains in November.', 'Bring an umbrella.']

    const numbers = (found: readonly ({ similarity: number } | undefined)[]) =>
      found.map((one) => one?.similarity ?? Number.NaN)

    it('tells the passage that answers, and its sentence, from others', async () => {
      const compared = (await embedder.compare?.(question, [stop, rain])) ?? []
      const [near = Number.NaN, far = Number.NaN] = numbers(compared)
      expect(near).toBeGreaterThan(far + 0.1)
      const parts = compared[0]?.parts ?? []
      const [, answer = Number.NaN, other = Number.NaN] = numbers(parts)
      expect(answer).toBeGreaterThan(other + 0.05)
      const [, answerNear = Number.NaN, otherNear = Number.NaN] = parts.map((part) => part?.nearest)
      expect(answerNear).toBeGreaterThan(otherNear + 0.05)
    })

    it('tells the words that the passage has from those that it does not have', async () => {
      const [compared] = (await embedder.compare?.(question, [stop])) ?? []
      const words = compared?.words ?? []
      expect(words).toHaveLength(question.length)
      const [, go = Number.NaN, , , , server = Number.NaN] = words
      expect(server).toBeGreaterThan(go)
    })

    it('is bounded: parts that are cut off, and words of a long question, are not compared', async () => {
      const [compared] =
        (await embedder.compare?.(
          Array.from({ length: 4_000 }, () => 'why'),
          [['Title', 'many words '.repeat(400), 'too late']],
        )) ?? []
      expect(compared?.parts.map((part) => part !== undefined)).toEqual([true, true, false])
      expect(compared?.words).toHaveLength(4_000)
      expect(compared?.words.filter((word) => word !== undefined).length).toBeLessThan(64)
      const [empty] = (await embedder.compare?.([], [[]])) ?? []
      expect(empty).toEqual({ similarity: 0, words: [], parts: [] })
    })

    it('is cached, unless nothing of the question may be kept', async () => {
      const quietly = async () => await withoutQueryCache(embedder)?.compare?.(question, [rain])
      expect(await quietly()).not.toBe(await quietly())
      const first = await embedder.compare?.(question, [rain])
      expect(await embedder.compare?.(question, [rain])).toBe(first)
      expect(await quietly()).toEqual(first)
    })
  })

  it('embeds a query while many passages wait', { tags: ['long'] }, async () => {
    const order: string[] = []
    const passages = embedder.embedPassages(
      Array.from({ length: 40 }, (_, place) => `passage ${place} `.repeat(60)),
    )
    const query = embedder.embedQuery('a question in between')
    await Promise.all([passages.then(() => order.push('passages')), query.then(() => order.push('query'))])
    expect(order).toEqual(['query', 'passages'])
  })

  it('caches the vectors of questions', async () => {
    const first = await embedder.embedQuery('asked twice')
    expect(await embedder.embedQuery('asked twice')).toBe(first)
  })

  it('ends a request that is aborted', async () => {
    const gone = new AbortController()
    const passages = embedder.embedPassages(['text '.repeat(200), 'text'], gone.signal)
    gone.abort(new Error('sync cancelled'))
    await expect(passages).rejects.toThrow('sync cancelled')
  })

  it('counts the tokens that the model reads', () => {
    expect(embedder.countTokens('unbelievable embeddings!')).toBe(6)
    expect(embedder.maxTokens).toBe(254)
  })
})

describe('a model folder', () => {
  it('is read like the built-in model when it holds the same', { tags: ['long'] }, async () => {
    const target = await makeModelFolder('same-model', 'mean', {})
    const made = await createEmbedder({ ...settings, localFolder: target }, noNetwork)
    expect(made.reason).toBeUndefined()
    const text = 'Rotate the signing key every day.'
    expect(await made.embedder?.embedQuery(text)).toEqual(await embedder.embedQuery(text))
    expect(made.embedder?.maxTokens).toBe(126)
    await made.embedder?.close()
  })

  it('differs in its key and vectors by pooling and prefixes', { tags: ['long'] }, async () => {
    const target = await makeModelFolder('other-model', 'cls', { query: 'query: ', document: 'passage: ' })
    const { embedder: other } = await createEmbedder({ ...settings, localFolder: target }, noNetwork)
    expect(other?.key).toMatch(/^other-model:[0-9a-f]{12}:384:cls:128:prefix-[0-9a-f]{8}$/)
    const [passage] = (await other?.embedPassages(['text'])) ?? []
    expect(passage).not.toEqual(await other?.embedQuery('text'))
    await other?.close()
  })

  it.each([
    ['empty', {}, 'There is no ONNX model'],
    ['without-config', { 'model.onnx': 'x' }, 'config.json is missing'],
    [
      'without-vocabulary',
      { 'model.onnx': 'x', 'config.json': '{"hidden_size":384}' },
      'neither tokenizer.json nor',
    ],
    [
      'of-another-kind',
      {
        'model.onnx': 'x',
        'config.json': '{"hidden_size":384}',
        'tokenizer.json': '{"model":{"type":"BPE","vocab":{}}}',
      },
      'not a WordPiece tokenizer',
    ],
    [
      'broken',
      { 'model.onnx': 'x', 'config.json': '{"hidden_size":384}', 'vocab.txt': '[UNK]\n[CLS]\n[SEP]\n' },
      'model.onnx',
    ],
  ])('that is %s leaves the service without vectors, with the reason', async (name, files, reason) => {
    const target = join(folder, name)
    await mkdir(target)
    for (const [file, content] of Object.entries(files)) await writeFile(join(target, file), content)
    const made = await createEmbedder({ ...settings, localFolder: target }, noNetwork)
    expect(made.embedder).toBeUndefined()
    expect(made.reason).toContain(reason)
  })
})
