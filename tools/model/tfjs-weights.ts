import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A matrix or vector in eight bits: each value is `byte * scale + minimum`. */
export interface QuantizedWeight {
  shape: readonly number[]
  scale: number
  minimum: number
  bytes: Uint8Array
}

/** Weights by their full name in the TensorFlow graph. */
export type TfjsWeights = ReadonlyMap<string, QuantizedWeight>

const BYTES_OF_TYPE = { float32: 4, int32: 4 } as const

interface Manifest {
  weightsManifest: {
    paths: string[]
    weights: {
      name: string
      shape: number[]
      dtype: keyof typeof BYTES_OF_TYPE
      quantization?: { dtype: 'uint8'; scale: number; min: number }
    }[]
  }[]
}

/**
 * Reads the weights of a TensorFlow.js graph model (`model.json` and its shards). Weights that are not quantised are skipped: in this
 * model they are only sizes and axis numbers.
 *
 * @throws when a file is missing or has another size.
 */
export async function readTfjsWeights(folder: string): Promise<TfjsWeights> {
  const manifest = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as Manifest
  const weights = new Map<string, QuantizedWeight>()
  for (const { paths, weights: listed } of manifest.weightsManifest) {
    const data = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(folder, path)))))
    let offset = 0
    for (const { name, shape, dtype, quantization } of listed) {
      const count = shape.reduce((product, size) => product * size, 1)
      const end = offset + count * (quantization === undefined ? BYTES_OF_TYPE[dtype] : 1)
      if (quantization !== undefined) {
        const { scale, min } = quantization
        weights.set(name, { shape, scale, minimum: min, bytes: data.subarray(offset, end) })
      }
      offset = end
    }
    if (offset !== data.byteLength) {
      throw new Error(
        `The weights in ${folder} take ${offset} bytes according to model.json, but ${data.byteLength} in the files`,
      )
    }
  }
  return weights
}
