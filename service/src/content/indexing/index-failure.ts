/** Why a document cannot be indexed. The fault is in the document, and its sender is told; other documents are not affected. */
export class IndexFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'IndexFailure'
  }
}

/** PostgreSQL's error classes for data that it cannot store (22: invalid for its type; 54: too large). */
const DATA_ERROR_CLASSES = /^(?:22|54)\d/

/** The failure of a document, if a storage error is about its content; else undefined. */
export function dataFailure(error: unknown): IndexFailure | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && DATA_ERROR_CLASSES.test(code)
    ? new IndexFailure('Its text cannot be stored: it is too long, or contains invalid characters.', {
        cause: error,
      })
    : undefined
}
