import { appendFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Embedder } from '../src/platform/embedding/embedder.ts'
import { openKeptVectors } from './kept-vectors.ts'

/** An embedder that counts: the vector of a text is its length and its first letter. */
function countingEmbedder(key = 'model:1') {
  const embedded: string[] = []
  const vectorOf = (text: string) => new Float32Array([text.length, text.codePointAt(0) ?? 0])
  const embedder: Embedder = {
    key,
    dimensions: 2,
    language: 'en',
    maxTokens: 256,
    countTokens: (text) => text.length,
    embedQuery: async (text) => vectorOf(text),
    embedPassages: async (texts) => {
      embedded.push(...texts)
      return texts.map(vectorOf)
    },
    embedInParts: async (passages) => {
      embedded.push(...passages.map((parts) => parts.join('|')))
      return passages.map((parts) => ({ whole: vectorOf(parts.join(' ')), parts: parts.map(vectorOf) }))
    },
    close: async () => {},
  }
  return { embedder, embedded, vectorOf }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'citewell-vectors-'))

test('a passage is embedded once, also across a restart, and its vector is unchanged', async () => {
  const folder = newFolder()
  const first = countingEmbedder()
  const texts = ['alpha', 'be', 'alpha']
  const made = await openKeptVectors(folder).keepFor(first.embedder).embedPassages(texts)
  expect(first.embedded).toEqual(['alpha', 'be'])
  expect(made).toEqual(texts.map(first.vectorOf))

  const second = countingEmbedder()
  const again = openKeptVectors(folder)
  expect(await again.keepFor(second.embedder).embedPassages(['be', 'gamma'])).toEqual(
    ['be', 'gamma'].map(first.vectorOf),
  )
  expect(second.embedded).toEqual(['gamma'])
  expect(again.counts).toEqual({ kept: 1, made: 1 })
})

test('each model has separate vectors, and nothing is stored while caching is off', async () => {
  const folder = newFolder()
  const kept = openKeptVectors(folder)
  await kept.keepFor(countingEmbedder().embedder).embedPassages(['alpha'])
  const other = countingEmbedder('model:2')
  const keeping = kept.keepFor(other.embedder)
  await keeping.embedPassages(['alpha'])
  kept.isUsed = false
  await keeping.embedPassages(['alpha'])
  expect(other.embedded).toEqual(['alpha', 'alpha'])
})

test('a passage in parts is stored with the vectors of all parts, separately from the same words as one text', async () => {
  const folder = newFolder()
  const passages = [['# Keys', 'Daily.'], ['Alone.']]
  const first = countingEmbedder()
  const keeping = openKeptVectors(folder).keepFor(first.embedder)
  await keeping.embedPassages(['# Keys Daily.', 'Alone.'])
  const made = await keeping.embedInParts(passages)
  expect(first.embedded).toEqual(['# Keys Daily.', 'Alone.', '# Keys|Daily.', 'Alone.'])

  const second = countingEmbedder()
  const again = await openKeptVectors(folder).keepFor(second.embedder).embedInParts(passages)
  expect(again).toEqual(made)
  expect(again[0]?.parts).toEqual(['# Keys', 'Daily.'].map(first.vectorOf))
  expect(second.embedded).toEqual([])
})

test('an incomplete vector of a killed run is discarded', async () => {
  const folder = newFolder()
  await openKeptVectors(folder).keepFor(countingEmbedder().embedder).embedPassages(['alpha'])
  const [file = ''] = readdirSync(folder)
  appendFileSync(join(folder, file), 'half')
  await openKeptVectors(folder).keepFor(countingEmbedder().embedder).embedPassages(['be'])
  const { embedder, embedded, vectorOf } = countingEmbedder()
  const vectors = await openKeptVectors(folder).keepFor(embedder).embedPassages(['alpha', 'be'])
  expect(vectors).toEqual(['alpha', 'be'].map(vectorOf))
  expect(embedded).toEqual([])
})
