import type { PostContent } from './post-content.ts'
import type { PostEnd, PostOutcome } from './post-outcome.ts'

/** An outcome after which a post is not sent again. */
export type End = Extract<PostOutcome, { is: PostEnd }>

export const GAVE_UP =
  'An answer could not be posted within 15 minutes: the platform asked to wait, or could not be reached.'

export const UNREADABLE =
  'An answer could not be posted: its stored form cannot be opened with the secret key of this service.'

const STALE = 'What it answers had changed meanwhile, so it was not posted.'

/** How the end of a post is stored. */
export const endOf = (outcome: End) => {
  if (outcome.is === 'posted') return { status: 'posted', platformRef: outcome.ref } as const
  if (outcome.is === 'stale') return { status: 'failed', error: STALE } as const
  return { status: outcome.is, error: outcome.because } as const
}

/** What is on the record of the integration after an outcome; undefined: what was there. */
export const problemAfter = (outcome: End, { keepsProblem }: PostContent): string | null | undefined => {
  if (outcome.is === 'stale' || (outcome.is === 'posted' && keepsProblem === true)) return undefined
  return outcome.is === 'posted' ? null : outcome.because
}
