import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../src/platform/embedding/embedder.ts'
import { openVectorFile } from './vector-file.ts'

/** Vectors of passages, stored on disk between runs. */
export interface KeptVectors {
  /**
   * The same embedder, which computes the vector of a passage only once while `isUsed`. Questions are always embedded, because their
   * time is measured.
   */
  keepFor(embedder: Embedder): Embedder
  /** Whether vectors are read from the disk and written there. */
  isUsed: boolean
  /** Embedding key of their embedder; empty before `keepFor`. */
  embeddingKey: string
  /** Number of passages whose vectors were read from the disk, and computed, since this was reset. */
  counts: { kept: number; made: number }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Opens the vectors of a folder: one file for each embedding key, so that models are never mixed. */
export function openKeptVectors(folder: string): KeptVectors {
  mkdirSync(folder, { recursive: true })
  const kept: KeptVectors = {
    isUsed: true,
    embeddingKey: '',
    counts: { kept: 0, made: 0 },
    keepFor: (embedder) => {
      kept.embeddingKey = embedder.key
      const name = createHash('sha256').update(embedder.key).digest('hex').slice(0, 16)
      const file = openVectorFile(join(folder, `${name}.vectors`), embedder.dimensions)

      /** Vectors of each item, by the hash of its text; missing ones are computed and stored. */
      async function vectorsOf<Item>(
        items: readonly Item[],
        hashed: (item: Item) => string,
        make: (missing: Item[]) => Promise<Float32Array[][]>,
      ): Promise<Float32Array[][]> {
        const hashes = items.map((item) => hashOf(hashed(item)))
        const missing = new Map<string, Item>()
        for (const [place, item] of items.entries()) {
          const hash = hashes[place] ?? ''
          if (!file.has(hash)) missing.set(hash, item)
        }
        const made = await make([...missing.values()])
        for (const [place, hash] of [...missing.keys()].entries()) file.add(hash, made[place] ?? [])
        kept.counts.made += missing.size
        kept.counts.kept += items.length - missing.size
        return hashes.map((hash) => file.read(hash))
      }

      return {
        ...embedder,
        embedPassages: async (texts, signal) => {
          if (!kept.isUsed) return await embedder.embedPassages(texts, signal)
          const vectors = await vectorsOf(
            texts,
            (text) => text,
            async (missing) => (await embedder.embedPassages(missing, signal)).map((vector) => [vector]),
          )
          return vectors.flat()
        },
        embedInParts: async (passages, signal, line) => {
          if (!kept.isUsed) return await embedder.embedInParts(passages, signal, line)
          const vectors = await vectorsOf(
            passages,
            (parts) => JSON.stringify(parts),
            async (missing) =>
              (await embedder.embedInParts(missing, signal, line)).map(({ whole, parts }) => [
                whole,
                ...parts,
              ]),
          )
          return vectors.map(([whole, ...parts]) => {
            if (whole === undefined) throw new Error('A passage was kept without its vector.')
            return { whole, parts }
          })
        },
        close: async () => {
          file.close()
          await embedder.close()
        },
      }
    },
  }
  return kept
}
