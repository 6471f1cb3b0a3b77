import { clusterBySimilarity, type SimilarityOf } from './cluster-by-similarity.ts'
import { similarityByMeaning, similarityByWords } from './question-similarity.ts'
import type { AskedQuestion } from './analytics-store.ts'
import type { QuestionVectors } from './question-vectors.ts'

/** A group of similar questions. */
export interface QuestionGroup {
  /** Latest first. */
  questions: AskedQuestion[]
  /** One question of each wording, most central first. */
  wordings: AskedQuestion[]
}

/** Minimum average similarity of the questions in a group: by meaning, and by words alone. */
export interface MinSimilarity {
  meaning: number
  words: number
}

/** The search query: a follow-up alone has too little content. */
const textOf = ({ query, rewritten_query: rewritten }: AskedQuestion) => rewritten ?? query

/** Normalizes case, white space and trailing punctuation. */
const spelling = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<![\s?!.])[\s?!.]+$/, '')

/** Questions by their wording, in order of the first of each. */
function byWording(questions: readonly AskedQuestion[]): AskedQuestion[][] {
  const wordings = new Map<string, AskedQuestion[]>()
  for (const question of questions) {
    const key = spelling(textOf(question))
    const same = wordings.get(key)
    if (same === undefined) wordings.set(key, [question])
    else same.push(question)
  }
  return [...wordings.values()]
}

/** The indexes of a group, most central first; of equal ones the most asked, then the latest. */
function mostCentral(
  numbers: readonly number[],
  asked: readonly (readonly unknown[])[],
  likenessOf: SimilarityOf,
): number[] {
  const weight = (number: number) => asked[number]?.length ?? 0
  const central = new Map(numbers.map((number) => [number, weight(number)]))
  for (const [index, left] of numbers.entries()) {
    if (numbers.length < 3) break
    const row = likenessOf(left)
    for (const right of numbers.slice(index + 1)) {
      const similarity = row[right] ?? 0
      central.set(left, (central.get(left) ?? 0) + similarity * weight(right))
      central.set(right, (central.get(right) ?? 0) + similarity * weight(left))
    }
  }
  return numbers.toSorted((left, right) => (central.get(right) ?? 0) - (central.get(left) ?? 0))
}

/** Groups questions of a base by similarity, largest group first. Deterministic. */
export async function groupQuestions(
  given: { knowledgeBaseId: string; questions: readonly AskedQuestion[]; from: MinSimilarity },
  vectors: Pick<QuestionVectors, 'of'>,
  signal: AbortSignal,
): Promise<{ groups: QuestionGroup[]; comparedBy: 'meaning' | 'words' }> {
  const wordings = byWording(given.questions)
  const firsts = wordings.flatMap(([first]) => (first === undefined ? [] : [first]))
  const texts = firsts.map(textOf)
  const compared = firsts.map((question, index) => ({ id: question.id, text: texts[index] ?? '' }))
  const meanings = await vectors.of(given.knowledgeBaseId, compared, signal)
  const likenessOf = meanings === undefined ? similarityByWords(texts) : similarityByMeaning(texts, meanings)
  const comparedBy = meanings === undefined ? 'words' : 'meaning'
  const clusters = await clusterBySimilarity(texts.length, likenessOf, given.from[comparedBy], signal)
  const groups = clusters.map((numbers): QuestionGroup => ({
    questions: numbers
      .flatMap((number) => wordings[number] ?? [])
      .toSorted((left, right) => right.created_at.getTime() - left.created_at.getTime()),
    wordings: mostCentral(numbers, wordings, likenessOf).flatMap((number) => firsts[number] ?? []),
  }))
  const lastAsked = ({ questions }: QuestionGroup) => questions[0]?.created_at.getTime() ?? 0
  groups.sort(
    (left, right) => right.questions.length - left.questions.length || lastAsked(right) - lastAsked(left),
  )
  return { groups, comparedBy }
}
