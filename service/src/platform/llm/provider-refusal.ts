/** A provider's answer with an error status. */
export class ProviderRefusal extends Error {
  readonly status: number
  readonly headers: Headers
  /** Up to `MAX_REFUSAL_BYTES` of it. */
  readonly body: string

  constructor(status: number, headers: Headers, body: string) {
    super(`The model provider answered ${status}.`)
    this.name = 'ProviderRefusal'
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** What is read of the body of a refusal: its error object is far shorter, and a page of HTML tells nothing. */
export const MAX_REFUSAL_BYTES = 65_536
