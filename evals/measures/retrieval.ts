import { meanRanking, measureRanking } from '@citewell/contract/ranking-measures'
import { known, shareOf, type Measure, type Observation } from './observation.ts'

type Listing = (observation: Observation) => string[]

const bySearch: Listing = ({ results }) => (results ?? []).map(({ page }) => page)

// Only the chat API understands a follow-up: the pages of its first frame come first, followed by further results of a search for the
// bare words, as a client of both would show them.
const byThread: Listing = (observation) => [
  ...(observation.answer?.found ?? []).map(({ page }) => page),
  ...bySearch(observation),
]

const measureList =
  (listed: Listing): Measure =>
  (observations) => {
    const mean = meanRanking(
      observations.flatMap(
        (observation) => measureRanking(listed(observation), observation.question.relevant) ?? [],
      ),
    )
    if (mean === undefined) return {}
    const { ndcg10, hit1, hit5, mrr10, recall10 } = mean
    return { ndcg10, hit1, hit5, mrr10, recall10 }
  }

/** Retrieval at page level, over the questions that have an answering page. */
export const measureSearch = measureList(bySearch)

/** The same for questions asked in a thread. */
export const measureThreads = measureList(byThread)

/** Whether a filter by source group ever returned something outside. */
export const measureGroups: Measure = (observations) => {
  const outside = observations.flatMap(({ groups, results, answer }) =>
    groups === undefined
      ? []
      : [...(results ?? []), ...(answer?.found ?? []), ...(answer?.cited ?? [])].filter(
          ({ source }) => !groups.includes(source),
        ),
  )
  return { outside_group: outside.length }
}

const versionOf = (label: string) => label.replace(/^v/, '')

/**
 * Questions that name a version: whether its page comes first, and whether the answer has its value and names it. The set labels its
 * newest version `main`; `labelOf` gives the real one.
 */
export const measureVersions =
  (labelOf: (observation: Observation) => string): Measure =>
  (observations) => {
    const answered = observations.filter(({ answer }) => answer !== undefined)
    const holds = (text: string, value: string) => {
      const plain = value.replaceAll('`', '')
      return new RegExp(`(?<![\\w.])${RegExp.escape(plain)}(?![\\w])`).test(text.replaceAll('`', ''))
    }
    return known({
      version_first: shareOf(
        observations,
        (observation) => observation.results?.[0]?.versionLabel === labelOf(observation),
      ),
      right_value: shareOf(answered, ({ question, answer }) => {
        const right = question.fields['answers'] as string[]
        const others = question.fields['other_version_values'] as string[]
        const text = answer?.isCovered === true ? answer.text : ''
        return right.some((value) => holds(text, value)) && !others.some((value) => holds(text, value))
      }),
      names_version: shareOf(answered, (observation) => {
        const text = observation.answer?.isCovered === true ? observation.answer.text : ''
        return new RegExp(`\\b(?:v|version |Vite )${versionOf(labelOf(observation))}\\b`, 'i').test(text)
      }),
    })
  }
