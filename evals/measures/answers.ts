import { textsOf } from '../sets/read-set.ts'
import { answerSentences, withoutAddresses } from './answer-sentences.ts'
import { known, meanOf, shareOf, type Measure, type Observation } from './observation.ts'
import { holdsWords, lettersOf, wordsOf, wordsShared } from './words.ts'

/** An answer with more sentences than this is an excerpt, not an answer. */
const MAX_SENTENCES = 3
/** Fraction of a sentence that must match: the gold sentences are tokenised differently. */
const FOUND_FROM = 0.8

const answerable = (observations: readonly Observation[]) =>
  observations.filter(({ question, answer }) => question.isAnswerable === true && answer !== undefined)

/** Sentences of the answer; empty if the question was refused. */
const sentencesOf = ({ answer }: Observation) =>
  answer?.isCovered === true ? answerSentences(answer.text) : []

/** Whether a short answer contains the gold answer word for word. */
export const measureGoldAnswer: Measure = (observations) =>
  known({
    gold_answer: shareOf(answerable(observations), (observation) => {
      const sentences = sentencesOf(observation)
      const text = sentences.map((sentence) => sentence.text).join('\n')
      return (
        sentences.length <= MAX_SENTENCES &&
        textsOf(observation.question.fields, 'answers').some((gold) => holdsWords(text, gold))
      )
    }),
  })

/** Evidence sentences marked by people, compared with the sentences of the answer. */
export const measureEvidence: Measure = (observations) => {
  const asked = answerable(observations)
  const compared = asked.map((observation) => ({
    said: sentencesOf(observation).map(({ text }) => text),
    evidence: textsOf(observation.question.fields, 'evidence_sentences'),
  }))
  if (compared.length === 0) return {}
  return known({
    evidence_overlap: meanOf(
      compared.map(({ said, evidence }) => wordsShared(said.join(' '), evidence.join(' '))),
    ),
    evidence_found: shareOf(compared, ({ said, evidence }) =>
      evidence.some((sentence) => wordsShared(sentence, said.join(' ')) >= FOUND_FROM),
    ),
  })
}

/** The fraction of a paraphrased gold answer that is in the answer, and whether yes or no is right. */
export const measureGoldWords: Measure = (observations) => {
  const asked = answerable(observations)
  const judged = asked.filter(({ question, answer }) => {
    const [first] = wordsOf(answer?.text ?? '')
    const isYesOrNo = question.fields['yes_no'] === 'Yes' || question.fields['yes_no'] === 'No'
    return isYesOrNo && (first === 'yes' || first === 'no')
  })
  if (asked.length === 0) return {}
  return known({
    gold_words: meanOf(
      asked.map((observation) => {
        const text = sentencesOf(observation)
          .map((sentence) => sentence.text)
          .join(' ')
        const golds = textsOf(observation.question.fields, 'answers')
        return Math.max(0, ...golds.map((gold) => wordsShared(gold, text)))
      }),
    ),
    yes_no: shareOf(
      judged,
      ({ question, answer }) =>
        wordsOf(answer?.text ?? '')[0] === String(question.fields['yes_no']).toLowerCase(),
    ),
  })
}

/** A sentence of an answer that is in none of the excerpts that it cites. */
export interface UngroundedSentence {
  question: string
  sentence: string
  /** It is in the passage: the excerpt was truncated too much. */
  isInPassage: boolean
  excerpts: string[]
}

/**
 * An excerpt leaves words out at its ellipses: a sentence must not be matched across one. Code shows the source of links, and sentences
 * are compared without addresses.
 */
const piecesOf = (excerpt: string) =>
  withoutAddresses(excerpt)
    .split(/\s…(?:\s|$)|^…\s/)
    .map(lettersOf)

function groundedness(observations: readonly Observation[]) {
  const ungrounded: UngroundedSentence[] = []
  let count = 0
  for (const observation of observations) {
    const cited = observation.answer?.cited ?? []
    for (const { text, citations } of sentencesOf(observation)) {
      count += 1
      const supporting = cited.filter(({ index }) => citations.includes(index))
      const letters = lettersOf(text)
      const isShown = ({ excerpt }: { excerpt: string }) =>
        // Some sentences have an ellipsis of their own.
        excerpt.includes(text) || piecesOf(excerpt).some((piece) => piece.includes(letters))
      if (supporting.some(isShown)) continue
      ungrounded.push({
        question: observation.question.text,
        sentence: text,
        isInPassage: supporting.some(({ passage }) => lettersOf(withoutAddresses(passage)).includes(letters)),
        excerpts: supporting.map(({ excerpt }) => excerpt),
      })
    }
  }
  return { ungrounded, count }
}

/** Whether every sentence of an embedded answer is in an excerpt that it cites. */
export const measureGroundedness: Measure = (observations) => {
  const { ungrounded, count } = groundedness(observations)
  if (count === 0) return {}
  const outside = ungrounded.filter(({ isInPassage }) => !isInPassage)
  return { grounded: 1 - ungrounded.length / count, in_passage: 1 - outside.length / count }
}

/** The sentences that are not, for debugging. */
export const ungroundedSentences = (observations: readonly Observation[]) =>
  groundedness(observations).ungrounded
