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

/** Similarities of what must be, and must not be, in one group: beyond what averages over any number of others can outweigh. */
const [TOGETHER, APART] = [10, -1e9]

/** Questions by their wording, in order of the first of each; the same wording in two fixed groups is two. */
function byWording(
  questions: readonly AskedQuestion[],
  fixed: ReadonlyMap<string, string>,
): AskedQuestion[][] {
  const groupOf = new Map<string, string>()
  for (const question of questions) {
    const group = fixed.get(question.id)
    if (group !== undefined) groupOf.set(spelling(textOf(question)), group)
  }
  const wordings = new Map<string, AskedQuestion[]>()
  for (const question of questions) {
    const words = spelling(textOf(question))
    const key = `${fixed.get(question.id) ?? groupOf.get(words) ?? ''} ${words}`
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

/** The similarities, changed so that fixed groups neither fall apart nor become one. */
function keepFixed(likenessOf: SimilarityOf, groups: readonly (string | undefined)[]): SimilarityOf {
  return (left) => {
    const row = Float32Array.from(likenessOf(left))
    const own = groups[left]
    if (own === undefined) return row
    for (const [right, other] of groups.entries()) {
      if (other !== undefined) row[right] = other === own ? TOGETHER : APART
    }
    return row
  }
}

/** The indexes of each fixed group; undefined if one is in none. */
function fixedClusters(groups: readonly (string | undefined)[]): number[][] | undefined {
  const clusters = new Map<string, number[]>()
  for (const [index, group] of groups.entries()) {
    if (group === undefined) return undefined
    const same = clusters.get(group)
    if (same === undefined) clusters.set(group, [index])
    else same.push(index)
  }
  return [...clusters.values()]
}

/**
 * Groups questions of a base by similarity, largest group first. Deterministic.
 *
 * @param given.fixed the group that a question is in already, by its id: it stays there, and others may join it
 */
export async function groupQuestions(
  given: {
    knowledgeBaseId: string
    questions: readonly AskedQuestion[]
    from: MinSimilarity
    fixed?: ReadonlyMap<string, string>
  },
  vectors: Pick<QuestionVectors, 'of'>,
  signal: AbortSignal,
): Promise<{ groups: QuestionGroup[]; comparedBy: 'meaning' | 'words' }> {
  const fixed = given.fixed ?? new Map<string, string>()
  const wordings = byWording(given.questions, fixed)
  const firsts = wordings.flatMap(([first]) => (first === undefined ? [] : [first]))
  const texts = firsts.map(textOf)
  const compared = firsts.map((question, index) => ({ id: question.id, text: texts[index] ?? '' }))
  const meanings = await vectors.of(given.knowledgeBaseId, compared, signal)
  const likenessOf = meanings === undefined ? similarityByWords(texts) : similarityByMeaning(texts, meanings)
  const comparedBy = meanings === undefined ? 'words' : 'meaning'
  const inGroups = wordings.map((same) =>
    same.map(({ id }) => fixed.get(id)).find((group) => group !== undefined),
  )
  const clusters =
    fixedClusters(inGroups) ??
    (await clusterBySimilarity(texts.length, keepFixed(likenessOf, inGroups), given.from[comparedBy], signal))
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
