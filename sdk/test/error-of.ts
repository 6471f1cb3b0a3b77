import { CitewellError } from '../src/client.ts'

/** The error that a promise ends with. */
export async function errorOf(promise: Promise<unknown>): Promise<CitewellError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof CitewellError) return error
    throw new Error('It failed, but not with a CitewellError.', { cause: error })
  }
  throw new Error('It did not fail.')
}
