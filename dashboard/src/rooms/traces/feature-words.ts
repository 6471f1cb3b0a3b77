import { wordsOfCode } from '../../ui/names.ts'

/** What a judgement looks at, as a person would ask for it, and what a high number means, in the order in which it is read. Each is 0 to 1. */
const FEATURES: Record<string, readonly [name: string, means: string]> = {
  similarity: ['Nearest passage', 'How near the nearest passage is in meaning to the question.'],
  sentence: ['Nearest sentence', 'The same of the nearest single sentence.'],
  sentences: [
    'Nearest sentences on average',
    'The same, on average over the first passages: what a topic covers, several passages mention.',
  ],
  coverage: [
    'Words found',
    'Share of the words of the question that the best passage has; rare words count more.',
  ],
  heading: ['Words of a heading', 'Share of the words of a heading that the question has.'],
  names: ['Names found', 'Share of the names and numbers of the question that the first passages have.'],
  length: [
    'Length of the question',
    'Its words of meaning, 1 from twelve on: of a long question fewer words are found literally.',
  ],
  pages: [
    'Size of the search',
    'How many pages were searched: among many, one is near to any question by chance, so more is asked of it.',
  ],
  nearest: [
    'Nearest word by word',
    'Question and passages read together: how near the words of the best passage are to those of the question.',
  ],
  nearest_mean: ['Nearest word by word, on average', 'The same, on average over the first passages.'],
  missing: [
    'Missing',
    'How much of the question no passage names: the higher, the less is covered; rare words count more.',
  ],
}

/** The name of a feature, and what it means; an unknown one by its code. */
export function featureInWords(code: string): { name: string; means: string | undefined } {
  const [name, means] = Object.hasOwn(FEATURES, code) ? (FEATURES[code] ?? []) : []
  return { name: name ?? wordsOfCode(code), means }
}

const ORDER = Object.keys(FEATURES)

/** The features of a judgement in the order in which their words are read; unknown ones last. */
export const inReadingOrder = (
  features: Readonly<Record<string, number>>,
): [code: string, value: number][] => {
  const place = (code: string) => (ORDER.includes(code) ? ORDER.indexOf(code) : ORDER.length)
  return Object.entries(features).toSorted(([one], [other]) => place(one) - place(other))
}
