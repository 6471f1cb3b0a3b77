import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convertModel, findSourcePackage, MODEL_FOLDER } from './convert-model.ts'

const source = findSourcePackage()

describe('the converter of the built-in model', () => {
  it.skipIf(source === undefined)('makes exactly the files in model/', { tags: ['long'] }, async () => {
    for (const [name, bytes] of Object.entries(await convertModel(source ?? '')))
      expect([name, hash('sha256', bytes)]).toEqual([
        name,
        hash('sha256', await readFile(join(MODEL_FOLDER, name))),
      ])
  })

  it('made the files whose hashes the model card names', async () => {
    const card = await readFile(join(MODEL_FOLDER, '../MODEL_CARD.md'), 'utf8')
    for (const name of ['model.onnx', 'vocab.txt'])
      expect(card).toContain(hash('sha256', await readFile(join(MODEL_FOLDER, name))))
  })
})
