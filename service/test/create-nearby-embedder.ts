import { createEmbedder, type CreatedEmbedder } from '../src/platform/embedding/create-embedder.ts'
import { createKeptEmbedder } from './kept-threads.ts'

/** Cosine between a passage and its page's title, and between a sentence and its passage: about the same as with the real model. */
const PASSAGE_TO_TITLE = 0.75
const SENTENCE_TO_PASSAGE = 0.7

let passagesMade = 0
let seed = 1

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function chance(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 4_294_967_296
}

/** Number of passages embedded so far. */
export const passagesEmbedded = () => passagesMade

/** A unit vector with about this cosine to another one, in a random direction. */
function near(centre: Float32Array, cosine: number): Float32Array {
  const spread = Math.sqrt((1 - cosine * cosine) / centre.length)
  // The sum of three uniform numbers is close enough to normal here, and quick.
  const vector = centre.map((value) => cosine * value + spread * 2 * (chance() + chance() + chance() - 1.5))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Replaces `createEmbedder`, as `nearby` says. */
export const createNearbyEmbedder: typeof createEmbedder = async (settings, deps) =>
  nearby(await createEmbedder(settings, deps))

/** The same with the model that the tests of a process share: for pages so long that their vectors would take most of a test. */
export const createKeptNearbyEmbedder: typeof createEmbedder = async (settings, deps) =>
  nearby(await createKeptEmbedder(settings, deps))

/**
 * Questions and titles get the vectors of the real model, under its own key; a passage gets one near that of its title, which takes a
 * thousandth of the time.
 */
function nearby(created: CreatedEmbedder): CreatedEmbedder {
  const real = created.embedder
  if (real === undefined) return created
  return {
    reason: undefined,
    embedder: {
      ...real,
      embedPassages: () => Promise.reject(new Error('Passages are embedded in parts here.')),
      embedInParts: async (passages, signal) => {
        passagesMade += passages.length
        const titles = passages.map(([context = '']) => context.split(' › ')[0] ?? '')
        const centres = new Map<string, Float32Array>()
        for (const title of new Set(titles)) centres.set(title, await real.embedQuery(title, signal))
        return passages.map((parts, place) => {
          const whole = near(centres.get(titles[place] ?? '') ?? new Float32Array(), PASSAGE_TO_TITLE)
          return { whole, parts: parts.map(() => near(whole, SENTENCE_TO_PASSAGE)) }
        })
      },
    },
  }
}
