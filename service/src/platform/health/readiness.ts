import type { Ready } from '@citewell/contract/health'
import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'

/** The condition of one part of the service. `degraded` still works; `down` does not. */
export type Condition = { is: 'up' } | { is: 'degraded' | 'down'; because: string }

export interface ReadinessDeps {
  /** By name: storage, model, queue. A check that throws, or takes longer than `CHECK_MS`, counts as down. */
  checks: Readonly<Record<string, () => Promise<Condition> | Condition>>
  /** True once the service has begun to stop: it should receive no new requests. */
  isStopping: () => boolean
}

/** Timeout of a check. Probes of common orchestrators wait 1 to 5 s for all checks together. */
const CHECK_MS = 2_000

const NO_ANSWER: Condition = { is: 'down', because: 'does not answer' }

async function inTime(check: () => Promise<Condition> | Condition): Promise<Condition> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Condition>((resolve) => {
    timer = setTimeout(() => resolve(NO_ANSWER), CHECK_MS)
  })
  try {
    return await Promise.race([(async () => await check())(), late])
  } catch {
    // The error may contain hosts and user names; this address is public.
    return NO_ANSWER
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Checks whether the service can answer.
 *
 * @throws Refusal UNAVAILABLE with details that name what is down
 */
export async function readReadiness({ checks }: Pick<ReadinessDeps, 'checks'>): Promise<Ready> {
  const conditions = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, condition: await inTime(check) })),
  )
  const down: RefusalDetail[] = []
  const notices: string[] = []
  const states: Ready['checks'] = {}
  for (const { name, condition } of conditions) {
    if (condition.is === 'down') down.push({ path: name, message: condition.because })
    else states[name] = condition.is
    if (condition.is === 'degraded') notices.push(`${name}: ${condition.because}`)
  }
  if (down.length > 0) {
    const names = down.map(({ path }) => path).join(', ')
    throw new Refusal('UNAVAILABLE', { because: `Not ready: ${names}.`, details: down })
  }
  return { status: 'ready', checks: states, notices }
}

/** Throws UNAVAILABLE once the service has begun to stop. */
export function requireRunning({ isStopping }: Pick<ReadinessDeps, 'isStopping'>): void {
  if (isStopping()) throw new Refusal('UNAVAILABLE', { because: 'The service is stopping.' })
}

/** The same without details of what is up, degraded or down. */
export async function withoutDetails(ready: () => Promise<Ready>): Promise<Ready> {
  try {
    await ready()
  } catch (fault) {
    throw fault instanceof Refusal ? new Refusal(fault.code, { because: 'Not ready.' }) : fault
  }
  return { status: 'ready', checks: {}, notices: [] }
}
