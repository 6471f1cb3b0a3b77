/** A document cannot be read; the message tells the owner of the source why. */
export class ParseFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ParseFailure'
  }
}
