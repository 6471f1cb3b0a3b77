import { contentWordsOf } from '../citations/citations.ts'
import type { Likeness } from './cluster-by-likeness.ts'

/** How much the words count beside the meaning: a model may take two names for the same. */
const WORDS_BESIDE_MEANING = 0.25

/** A question that has a word, and how much the word weighs in it. */
interface Having {
  question: number
  weight: number
}

/** For each word the questions that have it; weights of a question's words are a vector of length 1, rare ones weigh more. */
function weighWords(questions: readonly string[]): { words: string[][]; having: Map<string, Having[]> } {
  const words = questions.map((question) => [...new Set(contentWordsOf(question))])
  const counts = new Map<string, number>()
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const having = new Map<string, Having[]>()
  for (const [question, own] of words.entries()) {
    const weights = own.map((word) => Math.log(1 + questions.length / (counts.get(word) ?? 1)))
    const length = Math.hypot(...weights) || 1
    for (const [place, word] of own.entries()) {
      const weight = (weights[place] ?? 0) / length
      const all = having.get(word)
      if (all === undefined) having.set(word, [{ question, weight }])
      else all.push({ question, weight })
    }
  }
  return { words, having }
}

/** By their words alone. */
export function likenessByWords(questions: readonly string[]): Likeness {
  const { words, having } = weighWords(questions)
  return (left) => {
    const row = new Float32Array(questions.length)
    for (const word of words[left] ?? []) {
      const all = having.get(word) ?? []
      const own = all.find(({ question }) => question === left)?.weight ?? 0
      for (const { question, weight } of all) row[question] = (row[question] ?? 0) + own * weight
    }
    return row
  }
}

/** By their meaning, and a little by their words. @param vectors - of length 1, in the order of the questions */
export function likenessByMeaning(questions: readonly string[], vectors: readonly Float32Array[]): Likeness {
  const byWords = likenessByWords(questions)
  return (left) => {
    const words = byWords(left)
    const own = vectors[left] ?? new Float32Array()
    const row = new Float32Array(questions.length)
    for (let right = left + 1; right < questions.length; right += 1) {
      const other = vectors[right] ?? own
      let cosine = 0
      for (let axis = 0; axis < own.length; axis += 1) cosine += (own[axis] ?? 0) * (other[axis] ?? 0)
      row[right] = (1 - WORDS_BESIDE_MEANING) * cosine + WORDS_BESIDE_MEANING * (words[right] ?? 0)
    }
    return row
  }
}
