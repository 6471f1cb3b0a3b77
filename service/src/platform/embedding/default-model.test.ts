import { mkdtemp, readdir, readFile, rm, truncate, utimes, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDefaultModel } from './default-model.ts'
import { hashFile } from './local-model.ts'

let cache: string
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'citewell-model-'))
})
afterAll(() => rm(cache, { recursive: true, force: true }))

describe('the built-in model', () => {
  it('is converted to exactly the bytes that were measured, also by two concurrent processes', async () => {
    const [model] = await Promise.all([prepareDefaultModel(cache), prepareDefaultModel(cache)])
    expect(await hashFile(model.modelFile)).toBe(model.weightsHash)
    expect((await stat(model.modelFile)).size).toBe(22_706_533)
    expect(await readdir(cache)).toHaveLength(1)
  })

  it('is not converted again when it is cached', async () => {
    const { modelFile } = await prepareDefaultModel(cache)
    const before = new Date('2026-01-01T00:00:00Z')
    await utimes(modelFile, before, before)
    await prepareDefaultModel(cache)
    expect((await stat(modelFile)).mtime).toEqual(before)
  })

  it('is converted again when the cached file is damaged', async () => {
    const { modelFile, weightsHash } = await prepareDefaultModel(cache)
    await truncate(modelFile, 1_000_000)
    await prepareDefaultModel(cache)
    expect(await hashFile(modelFile)).toBe(weightsHash)
  })

  it('comes with the vocabulary that it was trained on', async () => {
    const { tokenizerFolder } = await prepareDefaultModel(cache)
    expect(await readFile(join(tokenizerFolder, 'tokenizer.json'), 'utf8')).toContain('"WordPiece"')
  })
})
