import { cp, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDefaultModel } from './default-model.ts'
import { embeddingKey } from './local-model.ts'

describe('the built-in model', () => {
  it('has the key that stored vectors carry, so that none is embedded again', async () => {
    expect(embeddingKey(await readDefaultModel())).toBe('all-MiniLM-L6-v2:fd93bc331986:384:mean:256:plain')
  })

  it('is refused when its file is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'citewell-model-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { modelFile } = await readDefaultModel()
    await cp(dirname(modelFile), folder, { recursive: true })
    await truncate(join(folder, 'model.onnx'), 1_000_000)
    await expect(readDefaultModel(folder)).rejects.toThrow('is damaged')
  })
})
