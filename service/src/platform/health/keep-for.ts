/** Does something at most once in so long: whoever asks in between is given what came of it, also while it is being done. */
export function keepFor<Made>(ms: number, make: () => Promise<Made>): () => Promise<Made> {
  let kept: { since: number; made: Promise<Made> } | undefined
  return async () => {
    if (kept === undefined || performance.now() - kept.since >= ms) {
      kept = { since: performance.now(), made: make() }
    }
    return await kept.made
  }
}
