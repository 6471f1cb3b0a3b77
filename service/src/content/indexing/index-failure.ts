/** Why a document cannot be indexed: its own fault, told to whoever sent it. Everything else works on. */
export class IndexFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'IndexFailure'
  }
}

/** What PostgreSQL says of data that it cannot keep (22: not of its type; 54: too large for it). */
const FAULTS_OF_DATA = /^(?:22|54)\d/

/** The failure of a document, where an error of the storage is about what stands in it. */
export function failureOfData(error: unknown): IndexFailure | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && FAULTS_OF_DATA.test(code)
    ? new IndexFailure('Its text cannot be stored: it is too long, or has characters that are none.', {
        cause: error,
      })
    : undefined
}
