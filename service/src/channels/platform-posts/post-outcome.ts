/** What became of an attempt to post. */
export type PostOutcome =
  /** `ref`: the platform's id of the post. */
  | { is: 'posted'; ref: string | undefined }
  /** The platform asks to wait: it has not posted. */
  | { is: 'wait'; ms: number }
  /** It certainly has not arrived, and may the next time. */
  | { is: 'again' }
  /** It certainly never will in this form; it may in another, which is sent from now on. */
  | { is: 'instead'; body: unknown }
  /** It never will: why, and what its owner can do. */
  | { is: 'failed'; because: string }
  /** It may have arrived. */
  | { is: 'unknown'; because: string }
  /** It was not posted: what it is about has changed meanwhile, so it has to be decided again. */
  | { is: 'stale' }

/** How a post ended for good. */
export type PostEnd = 'posted' | 'failed' | 'unknown' | 'stale'
