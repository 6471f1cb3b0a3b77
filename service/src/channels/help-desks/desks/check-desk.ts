import { collectProblems, type Check } from '../../../kernel/collect-problems.ts'
import { DeskFailure, type DeskAccount, type HelpDesk } from '../help-desk.ts'

/**
 * Checks an account: what is missing here, and then, where there is an address, what the help desk says.
 *
 * @param given.ask yields what is missing, and returns the name of the account; undefined if its credentials open none
 */
export const checkDesk =
  (given: {
    /** The address of the API; undefined if what is set is none. */
    address: (config: Record<string, unknown>) => string | undefined
    missingHere: (account: DeskAccount) => Iterable<string>
    ask: (account: DeskAccount) => Check<string | undefined>
  }): HelpDesk['check'] =>
  async (account) => {
    const problems = [...given.missingHere(account)]
    if (given.address(account.config) === undefined) return { account: undefined, problems }
    try {
      return { account: await collectProblems(given.ask(account), problems), problems }
    } catch (failure) {
      if (!(failure instanceof DeskFailure)) throw failure
      return { account: undefined, problems: [...problems, failure.message] }
    }
  }

/** Whether a help desk has something, and shows it to the account. @throws DeskFailure if it refuses its credentials */
export async function isShown(read: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await read()) !== undefined
  } catch (failure) {
    if (failure instanceof DeskFailure && failure.isForbidden) return false
    throw failure
  }
}
