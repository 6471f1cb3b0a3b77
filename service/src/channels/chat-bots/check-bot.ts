import { collectProblems, type Check } from '../../kernel/collect-problems.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { BotAccount, ChatPlatform } from './chat-platform.ts'
import { NoToken } from './kept-tokens.ts'

type Checked = Awaited<ReturnType<ChatPlatform['check']>>

/**
 * Checks the account of a bot: what is missing here, and then what the platform says.
 *
 * @param given.isAskable whether the platform can be asked at all; if it is not said, only if nothing is missing here
 * @param given.ask yields what is missing, and returns the account; undefined if the platform opens none
 */
export async function checkBot(
  account: BotAccount,
  given: {
    missingHere: (account: BotAccount) => Iterable<string>
    isAskable?: boolean
    ask: () => Check<(Pick<Checked, 'account'> & Partial<Checked>) | undefined>
  },
): Promise<Checked> {
  const problems = [...given.missingHere(account)]
  const nothing = { is_working: false, account: null, missing_scopes: [], problems }
  if (!(given.isAskable ?? problems.length === 0)) return nothing
  try {
    const found = await collectProblems(given.ask(), problems)
    return found === undefined ? nothing : { ...nothing, ...found, is_working: problems.length === 0 }
  } catch (fault) {
    if (!(fault instanceof OutboundFailure || fault instanceof NoToken)) throw fault
    problems.push(fault.message)
    return nothing
  }
}
