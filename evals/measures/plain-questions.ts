import { textOf, textsOf } from '../sets/read-set.ts'
import { withoutAddresses } from './answer-sentences.ts'
import { known, shareOf, type Measure, type Observation } from './observation.ts'
import { lettersOf, wordsOf } from './words.ts'

/** Gold texts of a question: of each list all parts are needed; one list is enough. */
function goldsOf({ question: { fields } }: Observation): string[][] {
  const { answer } = fields
  const whole = Array.isArray(answer) ? [textsOf(fields, 'answer')] : [[textOf(fields, 'answer')]]
  return [...whole, ...textsOf(fields, 'also').map((text) => [text])]
}

const spoken = (text: string) => withoutAddresses(text).replaceAll(/\[\d+\]/g, ' ')

/** Whether the reply contains the gold text; only letters and digits are compared. */
function holdsGold(observation: Observation): boolean {
  const said = lettersOf(spoken(observation.answer?.text ?? ''))
  return goldsOf(observation).some((parts) => parts.every((part) => said.includes(lettersOf(spoken(part)))))
}

const citesGold = ({ question, answer }: Observation) =>
  answer?.isCovered === true && answer.cited.some(({ page }) => question.relevant.has(page))

/** Results for newcomers' questions: the page, the sentence, and the refusals by kind. */
export const measurePlainQuestions: Measure = (observations) => {
  const asked = observations.filter(({ answer }) => answer !== undefined)
  const answerable = asked.filter(({ question }) => question.isAnswerable === true)
  const refused = (kind: string) =>
    shareOf(
      asked.filter(({ question }) => textOf(question.fields, 'kind') === kind),
      ({ answer }) => answer?.isCovered === false,
    )
  const covered = answerable.filter(({ answer }) => answer?.isCovered === true)
  const words = covered.reduce((sum, { answer }) => sum + wordsOf(answer?.text ?? '').length, 0)
  return known({
    cites_gold: shareOf(answerable, citesGold),
    gold_text: shareOf(answerable, (one) => one.answer?.isCovered === true && holdsGold(one)),
    gold_in_reply: shareOf(answerable, holdsGold),
    same_topic_refused: refused('same-topic'),
    off_topic_refused: refused('off-topic'),
    gold_per_100_words: words === 0 ? undefined : (covered.filter(holdsGold).length * 100) / words,
  })
}
