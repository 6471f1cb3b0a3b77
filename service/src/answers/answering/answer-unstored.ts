import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { ReserveQuotaDeps } from './steps/reserve-quota.ts'
import type { AnsweredTurn, StoreDeps } from './steps/store-turn.ts'

const NO_RESERVATION = { refund: () => Promise.resolve() }

/**
 * Answers a question without counting it against a quota or storing it.
 *
 * @param answerWith - answers the question, with stubs for the quota and the store
 * @throws Refusal UNAVAILABLE if the answer failed, with the reason that a reader would see
 */
export async function answerUnstored(
  answerWith: (stubs: ReserveQuotaDeps & StoreDeps) => AsyncIterable<AnswerEvent>,
): Promise<AnsweredTurn> {
  let answered: AnsweredTurn | undefined
  const events = answerWith({
    allowance: { reserve: () => Promise.resolve(NO_RESERVATION) },
    conversations: {
      storeTurn: (turn) => {
        answered = turn
        return Promise.resolve(undefined)
      },
    },
  })
  for await (const event of events) {
    if (event.kind !== 'failed') continue
    throw event.because ?? new Refusal('UNAVAILABLE', { because: ANSWER_FAILURES[event.code].reader })
  }
  if (answered === undefined) throw new Refusal('UNAVAILABLE')
  return answered
}
