import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { AdmitDeps } from './steps/admit-question.ts'
import type { AnsweredTurn, StoreDeps } from './steps/store-turn.ts'

const FREE = { giveBack: () => Promise.resolve() }

/**
 * The answer to a question that counts against no allowance and is kept nowhere.
 *
 * @param answerWith - answers it, with what stands in for the rooms that count and keep
 * @throws Refusal UNAVAILABLE where the answer failed, with the reason as a reader would be told it
 */
export async function answerUnkept(
  answerWith: (deps: AdmitDeps & Pick<StoreDeps, 'storeTurn'>) => AsyncIterable<AnswerEvent>,
): Promise<AnsweredTurn> {
  let answered: AnsweredTurn | undefined
  const events = answerWith({
    admit: () => Promise.resolve(FREE),
    storeTurn: (turn) => {
      answered = turn
      return Promise.resolve(undefined)
    },
  })
  for await (const event of events) {
    if (event.kind !== 'failed') continue
    throw event.because ?? new Refusal('UNAVAILABLE', { because: ANSWER_FAILURES[event.code].reader })
  }
  if (answered === undefined) throw new Refusal('UNAVAILABLE')
  return answered
}
