/**
 * A service that tests use side by side, each with a knowledge base of its own: starting one takes 4 to 5 s of the processor. It runs once
 * before the tests, without rate limits. What changes the owner, the workspace or the settings needs a service of its own.
 */
import { newDataDirectory, requestsTo, startCitewell, type RunningCitewell } from './run-citewell.ts'

/** Environment variable with its address. */
const ADDRESS_SETTING = 'CITEWELL_TEST_SHARED_ADDRESS'

export type SharedCitewell = Pick<RunningCitewell, 'address' | 'json' | 'stop'>

const startWithoutLimits = () =>
  startCitewell({ CITEWELL_DATA_DIR: newDataDirectory(), CITEWELL_RATE_LIMITS: 'off' })

let running: RunningCitewell | undefined

export async function setup(): Promise<void> {
  running = await startWithoutLimits()
  process.env[ADDRESS_SETTING] = running.address
}

export async function teardown(): Promise<void> {
  await running?.stop()
}

/** The shared service, or one of one's own outside of the tests. */
export async function openSharedCitewell(): Promise<SharedCitewell> {
  const address = process.env[ADDRESS_SETTING]
  if (address === undefined) return await startWithoutLimits()
  return { address, json: requestsTo(address), stop: () => Promise.resolve(null) }
}
