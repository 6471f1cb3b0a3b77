import type { PostContent } from './post-content.ts'
import type { PostEnd, PostOutcome } from './post-outcome.ts'

/** An outcome after which a post is not sent again. */
export type End = Extract<PostOutcome, { is: PostEnd }>

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
