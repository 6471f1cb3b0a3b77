import { clusterByLikeness, type Likeness } from './cluster-by-likeness.ts'
import { likenessByMeaning, likenessByWords } from './question-likeness.ts'
import type { AskedQuestion } from './analytics-store.ts'
import type { QuestionVectors } from './question-vectors.ts'

/** Questions that belong together. */
export interface QuestionGroup {
  /** The last asked first. */
  questions: AskedQuestion[]
  /** One of each wording: what is most like all the others first. */
  wordings: AskedQuestion[]
}

/** How alike questions have to be, on average, to be one group: by meaning, and by words alone. */
export interface GroupedFrom {
  meaning: number
  words: number
}

/** What was searched for: a follow-up says little by itself. */
const textOf = ({ query, rewritten_query: rewritten }: AskedQuestion) => rewritten ?? query

/** Spelled the same but for capitals, spaces and signs at the end. */
const spelling = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<![\s?!.])[\s?!.]+$/, '')

/** Questions by their wording, in the order of the first of each. */
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

/** The numbers of a group, those most like all its questions first; of equal ones what was asked most, then last. */
function mostCentral(
  numbers: readonly number[],
  asked: readonly (readonly unknown[])[],
  likenessOf: Likeness,
): number[] {
  const weight = (number: number) => asked[number]?.length ?? 0
  const central = new Map(numbers.map((number) => [number, weight(number)]))
  for (const [place, left] of numbers.entries()) {
    if (numbers.length < 3) break
    const row = likenessOf(left)
    for (const right of numbers.slice(place + 1)) {
      const likeness = row[right] ?? 0
      central.set(left, (central.get(left) ?? 0) + likeness * weight(right))
      central.set(right, (central.get(right) ?? 0) + likeness * weight(left))
    }
  }
  return numbers.toSorted((left, right) => (central.get(right) ?? 0) - (central.get(left) ?? 0))
}

/** Groups questions of a base by likeness, the largest group first. The same groups every time. */
export async function groupQuestions(
  given: { knowledgeBaseId: string; questions: readonly AskedQuestion[]; from: GroupedFrom },
  vectors: Pick<QuestionVectors, 'of'>,
  signal: AbortSignal,
): Promise<{ groups: QuestionGroup[]; comparedBy: 'meaning' | 'words' }> {
  const wordings = byWording(given.questions)
  const firsts = wordings.flatMap(([first]) => (first === undefined ? [] : [first]))
  const texts = firsts.map(textOf)
  const compared = firsts.map((question, place) => ({ id: question.id, text: texts[place] ?? '' }))
  const meanings = await vectors.of(given.knowledgeBaseId, compared, signal)
  const likenessOf = meanings === undefined ? likenessByWords(texts) : likenessByMeaning(texts, meanings)
  const comparedBy = meanings === undefined ? 'words' : 'meaning'
  const clusters = await clusterByLikeness(texts.length, likenessOf, given.from[comparedBy], signal)
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
