import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { readIfExists } from './vocabulary.ts'

/** How the token vectors of a text become one: their mean, or the vector of the first token. */
export type Pooling = 'mean' | 'cls'

/** A BERT-type model on this machine. Plain data, so that it can be passed to the worker thread. */
export interface LocalModel {
  name: string
  modelFile: string
  /** Folder of `tokenizer.json` or `vocab.txt`. */
  tokenizerFolder: string
  /** SHA-256 of the weights, hexadecimal. */
  weightsHash: string
  dimensions: number
  /** Maximum number of tokens, including `[CLS]` and `[SEP]`. */
  maxPieces: number
  pooling: Pooling
  /** The one language that it was trained on; undefined if it knows several, or if this is unknown. */
  language: string | undefined
  /** Prefix that the model expects before questions and passages; usually empty. */
  queryPrefix: string
  passagePrefix: string
}

const ModelConfig = z.object({
  hidden_size: z.number().int().positive(),
  max_position_embeddings: z.number().int().positive().default(512),
})
const SentenceConfig = z.object({ max_seq_length: z.number().int().positive().optional() })
const PoolingConfig = z.object({ pooling_mode_cls_token: z.boolean().default(false) })
const PromptConfig = z.object({ prompts: z.record(z.string(), z.string()).default({}) })

/** Where exporters put the graph, the most common place first. */
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx']

/** Chunks are smaller than this anyway; the cost of attention grows with the square of the length. */
const MAX_PIECES = 512

async function findModelFile(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const path = join(folder, name)
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error(`There is no ONNX model in ${folder} (looked for ${MODEL_FILES.join(', ')})`)
}

/** SHA-256 of a file, hexadecimal. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), hash)
  return hash.digest('hex')
}

async function readConfig<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parseJson((await readIfExists(path)) ?? '{}'))
  if (parsed.success) return parsed.data
  throw new Error(`${path} is missing or invalid: ${z.prettifyError(parsed.error)}`)
}

/**
 * Describes the model in a folder in the layout of sentence-transformers exporters: `config.json`, a WordPiece tokenizer, an ONNX
 * graph, and optionally `1_Pooling/config.json`, `sentence_bert_config.json` and `config_sentence_transformers.json`.
 *
 * @throws when one of the first three is missing.
 */
export async function readLocalModel(folder: string): Promise<LocalModel> {
  const modelFile = await findModelFile(folder)
  const config = await readConfig(ModelConfig, join(folder, 'config.json'))
  const sentence = await readConfig(SentenceConfig, join(folder, 'sentence_bert_config.json'))
  const pooling = await readConfig(PoolingConfig, join(folder, '1_Pooling', 'config.json'))
  const { prompts } = await readConfig(PromptConfig, join(folder, 'config_sentence_transformers.json'))
  return {
    name: basename(resolve(folder)),
    modelFile,
    tokenizerFolder: folder,
    weightsHash: await hashFile(modelFile),
    dimensions: config.hidden_size,
    maxPieces: Math.min(sentence.max_seq_length ?? MAX_PIECES, config.max_position_embeddings, MAX_PIECES),
    pooling: pooling.pooling_mode_cls_token ? 'cls' : 'mean',
    language: undefined,
    queryPrefix: prompts['query'] ?? '',
    passagePrefix: prompts['passage'] ?? prompts['document'] ?? '',
  }
}

/** Identifies everything that changes a vector, so that vectors of different models are never compared. */
export function embeddingKey(model: LocalModel): string {
  const prefixes = JSON.stringify([model.queryPrefix, model.passagePrefix])
  const prefixHash = createHash('sha256').update(prefixes).digest('hex').slice(0, 8)
  const prefix = model.queryPrefix === '' && model.passagePrefix === '' ? 'plain' : `prefix-${prefixHash}`
  const parts = [model.weightsHash.slice(0, 12), model.dimensions, model.pooling, model.maxPieces, prefix]
  return `${model.name}:${parts.join(':')}`
}
