import { contentWordsOf } from '../citations/citations.ts'
import type { SimilarityOf } from './cluster-by-similarity.ts'

/** Weight of the words relative to the meaning: an embedding model may confuse two names. */
const WORD_WEIGHT = 0.25

/** A question that contains a word, and the weight of the word in it. */
interface Posting {
  question: number
  weight: number
}

/** An inverted index of the words. The word weights of a question are a unit vector; rare words weigh more. */
function weighWords(questions: readonly string[]): { words: string[][]; postings: Map<string, Posting[]> } {
  const words = questions.map((question) => [...new Set(contentWordsOf(question))])
  const counts = new Map<string, number>()
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const postings = new Map<string, Posting[]>()
  for (const [question, own] of words.entries()) {
    const weights = own.map((word) => Math.log(1 + questions.length / (counts.get(word) ?? 1)))
    const length = Math.hypot(...weights) || 1
    for (const [index, word] of own.entries()) {
      const weight = (weights[index] ?? 0) / length
      const all = postings.get(word)
      if (all === undefined) postings.set(word, [{ question, weight }])
      else all.push({ question, weight })
    }
  }
  return { words, postings }
}

/** Similarity by words alone. */
export function similarityByWords(questions: readonly string[]): SimilarityOf {
  const { words, postings } = weighWords(questions)
  return (left) => {
    const row = new Float32Array(questions.length)
    for (const word of words[left] ?? []) {
      const all = postings.get(word) ?? []
      const own = all.find(({ question }) => question === left)?.weight ?? 0
      for (const { question, weight } of all) row[question] = (row[question] ?? 0) + own * weight
    }
    return row
  }
}

/** Similarity by meaning, and to a small extent by words. @param vectors - unit vectors, in the order of the questions */
export function similarityByMeaning(
  questions: readonly string[],
  vectors: readonly Float32Array[],
): SimilarityOf {
  const byWords = similarityByWords(questions)
  return (left) => {
    const words = byWords(left)
    const own = vectors[left] ?? new Float32Array()
    const row = new Float32Array(questions.length)
    for (let right = left + 1; right < questions.length; right += 1) {
      const other = vectors[right] ?? own
      let cosine = 0
      for (let axis = 0; axis < own.length; axis += 1) cosine += (own[axis] ?? 0) * (other[axis] ?? 0)
      row[right] = (1 - WORD_WEIGHT) * cosine + WORD_WEIGHT * (words[right] ?? 0)
    }
    return row
  }
}
