import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks at what is waited for since then: a tenth of that time, so that a long wait takes few of them and a short one ends soon. */
export async function pauseSince(begunAt: number): Promise<void> {
  await sleep(Math.min(250, Math.max(20, (Date.now() - begunAt) / 10)))
}
