import { createRandom, type Random } from './random.ts'
import { ADJECTIVES, NOUNS, SENTENCES, VERBS } from './vocabulary.ts'

export interface WrittenPage {
  title: string
  markdown: string
}

/** Each becomes one passage, of about 130 words. */
const SECTIONS = 10
const SENTENCES_OF_A_SECTION = 9

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Two words joined: there are 60,000 of them, most on few pages, like names in code. */
const identifier = (random: Random) =>
  random.below(2) === 0
    ? `${random.byRank(NOUNS)}_${random.byRank(NOUNS)}`
    : `${random.byRank(VERBS)}${capital(random.byRank(NOUNS))}`

function sentence(random: Random, subjects: readonly string[]): string {
  // Every other noun is a subject of the page: words of a text come in bursts.
  const noun = () => (random.below(2) === 0 ? random.byRank(subjects) : random.byRank(NOUNS))
  return random.byRank(SENTENCES).replaceAll(/\b[VNAI](?=s?\b)|#/g, (mark) => {
    if (mark === 'V') return random.byRank(VERBS)
    if (mark === 'N') return noun()
    if (mark === 'A') return random.byRank(ADJECTIVES)
    return mark === 'I' ? `\`${identifier(random)}\`` : String(random.below(1_000))
  })
}

const anyOf = (list: readonly string[], random: Random) => list[random.below(list.length)] ?? ''

/** The subjects of the n-th page. Titles are spread evenly over all words, so that few pages share one. */
function subjectsOf(number: number) {
  const random = createRandom(number * 7_919 + 1)
  const verb = anyOf(VERBS, random)
  const adjective = anyOf(ADJECTIVES, random)
  const nouns = [anyOf(NOUNS, random), anyOf(NOUNS, random)] as const
  return { random, verb, adjective, nouns }
}

/** The n-th page, deterministic. */
export function writePage(number: number): WrittenPage {
  const { random, verb, adjective, nouns } = subjectsOf(number)
  const sections = Array.from({ length: SECTIONS }, () => {
    const heading = `${capital(random.byRank(VERBS))} the ${random.byRank(ADJECTIVES)} ${anyOf(NOUNS, random)}`
    const sentences = Array.from({ length: SENTENCES_OF_A_SECTION }, () => sentence(random, nouns))
    return `## ${heading}\n\n${sentences.join(' ')}`
  })
  return {
    title: `${capital(verb)} the ${adjective} ${nouns[0]} of a ${nouns[1]}`,
    markdown: sections.join('\n\n'),
  }
}

/**
 * A question about one of the pages. All questions of one seed are different, so that none is answered from a cache.
 */
export function writeQuestion(pages: number, seed: number): string {
  const random = createRandom(seed * 104_729 + 3)
  const { verb, adjective, nouns } = subjectsOf(random.below(pages))
  const rest = `when the ${anyOf(NOUNS, random)} is ${anyOf(ADJECTIVES, random)}`
  return `How do I ${verb} the ${adjective} ${nouns[0]} of a ${nouns[1]} ${rest}?`
}
