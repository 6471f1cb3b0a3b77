/** A document cannot be read; the message says why, for the owner of the source. */
export class ParseFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ParseFailure'
  }
}
