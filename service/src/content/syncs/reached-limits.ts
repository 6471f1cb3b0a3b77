import { redactAddresses } from '../../kernel/redact-addresses.ts'

/** Limits that a sync tells of; further ones say nothing new about a source. */
export const MAX_TOLD = 20
const MAX_PLACE_CHARACTERS = 300

/** A sentence for the owner of a source: a limit, how often it was reached, and where first. */
export const toldOf = (limit: string, { times, first }: { times: number; first: string }): string => {
  const place = redactAddresses(first.slice(0, MAX_PLACE_CHARACTERS))
  return times === 1 ? `${limit} At ${place}` : `${limit} ${times} times, first at ${place}`
}

/** What limits of this service left out of a source: each is told once. */
export function createReachedLimits() {
  const reached = new Map<string, { times: number; first: string }>()
  return {
    /** @param limit what was left out, and why: a sentence. @param place an address, or a path */
    note: (limit: string, place: string): void => {
      const known = reached.get(limit)
      if (known !== undefined) known.times += 1
      else if (reached.size < MAX_TOLD) reached.set(limit, { times: 1, first: place })
    },
    /** Sentences for the owner of the source. */
    told: (): string[] => [...reached].map(([limit, found]) => toldOf(limit, found)),
  }
}

export type ReachedLimits = ReturnType<typeof createReachedLimits>
