import { meanRanking, measureRanking, type RankingMeasures } from '@citewell/contract/ranking-measures'
import { pageOfAddress, placeOfPage } from '../../kernel/page-of-address.ts'
import type { ExpectedAnswer } from './read-question-file.ts'

/** What the service made of a question. */
export interface AskedQuestion extends ExpectedAnswer {
  /** Addresses of the pages that were found, best first. */
  found: readonly string[]
  /** Whether the chat answered it; undefined when it was not asked. */
  isCovered: boolean | undefined
}

export interface QuestionFigures {
  questions: number
  /** Over the questions that name a page; undefined when none does. */
  ranking: RankingMeasures | undefined
  /** Of the questions that are not answerable, those that were refused. */
  refusedRightly: { count: number; of: number }
  /** Of the answerable ones, those that were answered. */
  answered: { count: number; of: number }
}

/** Place of the first page that answers, from 1; undefined when it is not among those found. */
export const placeOf = ({ urls, found }: AskedQuestion): number | undefined => placeOfPage(urls, found)

/** Any of the pages answers a question: the first one reached is all that is asked. */
function measure({ urls, found }: AskedQuestion): RankingMeasures | undefined {
  const pages = found.map(pageOfAddress)
  const wanted = urls.map(pageOfAddress)
  const reached = pages.find((page) => wanted.includes(page)) ?? wanted[0]
  return reached === undefined ? undefined : measureRanking(pages, new Map([[reached, 1]]))
}

const counted = (questions: readonly AskedQuestion[], isCovered: boolean) => ({
  count: questions.filter((question) => question.isCovered === isCovered).length,
  of: questions.filter((question) => question.isCovered !== undefined).length,
})

export const figuresOf = (asked: readonly AskedQuestion[]): QuestionFigures => ({
  questions: asked.length,
  ranking: meanRanking(asked.flatMap((question) => measure(question) ?? [])),
  refusedRightly: counted(
    asked.filter(({ isAnswerable }) => !isAnswerable),
    false,
  ),
  answered: counted(
    asked.filter(({ isAnswerable }) => isAnswerable),
    true,
  ),
})
