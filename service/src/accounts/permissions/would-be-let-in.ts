import { Refusal } from '../../kernel/refusal.ts'

/**
 * Whether a request would be let in now: a stream outlives the look at its caller. Anything but a refusal is thrown.
 *
 * @param look - authenticates the caller again and opens what they asked for
 */
export async function wouldBeLetIn(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
