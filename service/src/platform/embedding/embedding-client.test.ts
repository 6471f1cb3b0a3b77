import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEmbeddingWorker } from './embedding-client.ts'
import type { LocalModel } from './local-model.ts'

const model = (modelFile: string): LocalModel => ({
  name: 'test',
  modelFile,
  tokenizerFolder: tmpdir(),
  weightsHash: '',
  dimensions: 1,
  maxPieces: 8,
  pooling: 'mean',
  language: undefined,
  queryPrefix: '',
  passagePrefix: '',
})

/** A fake worker that crashes on certain words; `modelFile` records that it has crashed once. */
const CRASHING_WORKER = `
  import { existsSync, writeFileSync } from 'node:fs'
  import { parentPort, workerData } from 'node:worker_threads'
  const { modelFile } = workerData.model
  parentPort.on('message', ({ kind, id, texts }) => {
    if (kind === 'cancel') return
    const isFirstLife = !existsSync(modelFile)
    writeFileSync(modelFile, '')
    if (texts.includes('crash always') || (texts.includes('crash once') && isFirstLife)) throw new Error('out of order')
    parentPort.postMessage({ kind: 'embedded', id, vectors: texts.map((text) => Float32Array.of(text.length)) })
  })
  parentPort.postMessage({ kind: 'ready' })`

const startCrashing = () =>
  startEmbeddingWorker(new URL(`data:text/javascript,${encodeURIComponent(CRASHING_WORKER)}`), {
    model: model(join(tmpdir(), `citewell-crashed-${randomUUID()}`)),
    threads: 1,
  })

describe('a crashing worker', () => {
  it('is restarted, and answers the requests of the crashed one', async () => {
    const client = await startCrashing()
    const answers = await Promise.all([
      client.embed('passage', ['crash once', 'four'], undefined),
      client.embed('query', ['after'], undefined),
    ])
    expect(answers).toEqual([[Float32Array.of(10), Float32Array.of(4)], [Float32Array.of(5)]])
    await client.close()
  })

  it('is given up when it crashes again before it answers', async () => {
    const client = await startCrashing()
    await expect(client.embed('passage', ['crash always'], undefined)).rejects.toThrow('twice in a row')
    await expect(client.embed('query', ['later'], undefined)).rejects.toThrow('twice in a row')
    await client.close()
  })

  it('is given up immediately when its model cannot be loaded', async () => {
    const script = new URL('./embedding-worker.ts', import.meta.url)
    const starting = startEmbeddingWorker(script, { model: model('/no/such/model.onnx'), threads: 1 })
    await expect(starting).rejects.toThrow('/no/such/model.onnx')
  })
})

describe('an embedding call', () => {
  it('is rejected with the abort reason of its caller, before and after it is sent', async () => {
    const client = await startCrashing()
    const gone = new AbortController()
    const asked = client.embed('query', ['text'], gone.signal)
    gone.abort(new Error('reader left'))
    await expect(asked).rejects.toThrow('reader left')
    await expect(client.embed('query', ['text'], gone.signal)).rejects.toThrow('reader left')
    await client.close()
  })

  it('is rejected when the service closes meanwhile', async () => {
    const client = await startCrashing()
    const asked = client.embed('query', ['text'], undefined)
    const outcome = asked.catch((error: unknown) => error)
    await client.close()
    expect(String(await outcome)).toContain('closed')
  })
})
