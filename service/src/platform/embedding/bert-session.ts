import { env, InferenceSession, Tensor } from 'onnxruntime-node'
import { comparePair } from './compare-pair.ts'
import type { EmbeddingPair } from './embedding-messages.ts'
import type { LocalModel, Pooling } from './local-model.ts'
import type { EncodedPair, PartSpan } from './word-piece.ts'
import { toUnitLength } from './unit-length.ts'

/**
 * Turns the tokens of one text into its unit-length vector. For spans of the text, their vectors follow in the same array, unless the
 * model only outputs a finished vector.
 */
export type EmbedPieces = (
  pieces: readonly number[],
  spans?: readonly PartSpan[],
) => Promise<Float32Array<ArrayBuffer>>

/** The model, ready to run. */
export interface BertSession {
  embedPieces: EmbedPieces
  /** The numbers of `comparePair`, of the tokens of a pair and the pair itself. */
  comparePieces: (encoded: EncodedPair, pair: EmbeddingPair) => Promise<Float32Array<ArrayBuffer>>
}

/** Pools the token vectors, stored one after the other, into one. For the mean only the direction counts, so this is the sum. */
function pool(values: Float32Array, dimensions: number, pooling: Pooling): Float32Array<ArrayBuffer> {
  const pooled = Float32Array.from(values.subarray(0, dimensions))
  if (pooling === 'cls') return pooled
  for (let start = dimensions; start < values.length; start += dimensions) {
    for (let axis = 0; axis < dimensions; axis += 1)
      pooled[axis] = (pooled[axis] ?? 0) + (values[start + axis] ?? 0)
  }
  return pooled
}

/** The output to read: one finished vector per text if the graph has that output, else one vector per token. */
const chooseOutput = (names: readonly string[]) =>
  ['sentence_embedding', 'last_hidden_state', 'token_embeddings'].find((name) => names.includes(name)) ??
  names[0] ??
  ''

/**
 * Loads the model. Texts are run one at a time: batches were no faster (two cores, and padding is computed too), and in eight-bit
 * arithmetic the whole batch shares one scale, so a text's vector would depend on the other texts.
 *
 * @throws when the runtime or the file cannot be used on this machine.
 */
export async function openBertSession(model: LocalModel, threads: number): Promise<BertSession> {
  env.logLevel = 'error'
  const session = await InferenceSession.create(model.modelFile, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: {
      session: {
        // Waiting threads would otherwise spin and use the CPU that the service's main thread needs.
        intra_op: { allow_spinning: '0' },
        // CPUs without VNNI overflow on signed weights: there the runtime makes them unsigned, which is slower but exact.
        x64quantprecision: '1',
      },
    },
  })
  const outputName = chooseOutput(session.outputNames)

  /** One vector for each token, or one for the whole text. */
  async function run(pieces: readonly number[]) {
    const shape = [1, pieces.length]
    const filled = (value: bigint) => new Tensor('int64', new BigInt64Array(pieces.length).fill(value), shape)
    const inputs: Record<string, Tensor> = {
      input_ids: new Tensor('int64', BigInt64Array.from(pieces, BigInt), shape),
      attention_mask: filled(1n),
      token_type_ids: filled(0n),
    }
    const wanted = Object.fromEntries(
      session.inputNames.flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]]])),
    )
    const outputs = await session.run(wanted, [outputName])
    const output = outputs[outputName]
    if (output === undefined || !(output.data instanceof Float32Array))
      throw new Error(`The model has no floating-point output ${outputName}`)
    const dimensions = output.dims.at(-1)
    if (dimensions !== model.dimensions)
      throw new Error(
        `The model outputs ${dimensions} dimensions, but config.json declares ${model.dimensions}`,
      )
    return { data: output.data, dimensions, isWhole: output.dims.length === 2 }
  }

  const embedPieces: EmbedPieces = async (pieces, spans = []) => {
    const { data, dimensions, isWhole } = await run(pieces)
    if (isWhole) return toUnitLength(Float32Array.from(data))
    const whole = toUnitLength(pool(data, dimensions, model.pooling))
    if (spans.length === 0) return whole
    const vectors = new Float32Array(dimensions * (1 + spans.length))
    vectors.set(whole)
    for (const [place, { start, end }] of spans.entries()) {
      const part = pool(data.subarray(start * dimensions, end * dimensions), dimensions, 'mean')
      vectors.set(toUnitLength(part), (1 + place) * dimensions)
    }
    return vectors
  }

  return {
    embedPieces,
    async comparePieces(encoded, { question, passage }) {
      const vectors = await run(encoded.pieces)
      if (vectors.isWhole) throw new Error('The model has no vectors of tokens.')
      return comparePair(vectors, encoded, { question: question.length, passage: passage.length })
    },
  }
}
