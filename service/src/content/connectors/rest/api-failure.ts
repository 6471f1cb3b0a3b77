import { SourceFailure } from '../connector.ts'

export type ApiFailureKind = 'unauthorized' | 'forbidden' | 'gone' | 'refused' | 'unavailable' | 'unexpected'

/** A request to an API that did not give what it should. The message is for the owner of the source. */
export class ApiFailure extends Error {
  readonly kind: ApiFailureKind
  /** Undefined if there was no response. */
  readonly status: number | undefined

  constructor(
    kind: ApiFailureKind,
    message: string,
    options: { status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiFailure'
    this.kind = kind
    this.status = options.status
  }
}

/** The same for the source as a whole. Anything else is returned as it is. */
export function asSourceFailure(error: unknown, connectAgain: string): unknown {
  if (!(error instanceof ApiFailure)) return error
  const hint = error.kind === 'unauthorized' || error.kind === 'forbidden' ? ` ${connectAgain}` : ''
  return new SourceFailure(`${error.message}${hint}`, { cause: error })
}

/** What strangers are shown; undefined if that is nothing. */
export async function unlessClosed<Shown>(read: () => Promise<Shown>): Promise<Shown | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.kind === 'unavailable') throw error
    return undefined
  }
}
