import { expect, test } from 'vitest'
import { until } from '../run-citewell.ts'
import { startDiskWorld, type Answer, type DiskWorld } from './disk-world.ts'

const MB = 1_048_576

/** `npm run test:kills` has twenty; three of four end the process while the disk is full. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1)

/** Reserve that the service keeps free on a disk of this size; see `platform/files/free-space.ts`. */
const KEPT = 48 * MB

const isOk = ({ status }: Answer) => status === 200

/** Either done or refused with a plain sentence; never without an answer, and never with an error text of the database. */
function expectSentence({ status, body }: Answer): void {
  expect([200, 204, 503]).toContain(status)
  expect(status === 503 ? body['error'] : 'The storage of the service did it.').toMatch(
    /^The (disk|storage) of the service /,
  )
}

/** Below the reserve, writes are refused before anything breaks; everything else works. */
async function fillWithinTheGuard(world: DiskWorld): Promise<void> {
  world.disk.fill(KEPT + MB)
  const refused = await world.pushUntilRefused()
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', retryable: true } })
  expect(refused.body['error']).toMatch(/^The disk of the service /)
  expect(world.disk.freeBytes()).toBeGreaterThan(24 * MB)
  expect((await world.search()).status).toBe(200)
  expect((await world.ask()).status).toBe(200)
  expect((await world.removeOne()).status).toBe(204)
  expect((await world.send('GET', '/healthz')).status).toBe(200)
  await world.free()
  await until(() => world.push('There is room again.'), isOk, 30)
}

/** Another program fills the disk while documents are written. */
async function fillUnderLoad(world: DiskWorld): Promise<void> {
  const load = (async () => {
    const answers: Answer[] = []
    const end = Date.now() + 4_000
    while (Date.now() < end) {
      answers.push(
        ...(await Promise.all([world.push(`Words of ${Date.now()}.`), world.search(), world.ask()])),
      )
    }
    return answers
  })()
  await new Promise((wake) => {
    setTimeout(wake, 500 + Math.random() * 1_500)
  })
  world.disk.fill()
  for (const answer of await load) expectSentence(answer)
  expect((await world.send('GET', '/healthz')).status).toBe(200)
  await until(world.search, isOk, 60)
}

test(
  `through ${ROUNDS} full disks every request is answered, and every acknowledged document is kept`,
  { timeout: 1_800_000, tags: ['long'] },
  async (context) => {
    await using world = (await startDiskWorld(320)) ?? context.skip('This user may not mount a small disk.')
    for (let round = 0; round < ROUNDS; round += 1) {
      await fillWithinTheGuard(world)
      await fillUnderLoad(world)
      if (round % 4 === 0) {
        await world.free()
        await until(() => world.push('Writing goes on without a restart.'), isOk, 60)
      } else {
        // Ended while the disk is full: `restart` fails if stopping exceeds the timeout of a request.
        const ended = round % 2 === 0 ? 'kill' : 'stop'
        await world.restart(ended, () => world.disk.free())
        await world.free()
        await until(() => world.push('Writing goes on after a restart.'), isOk, 60)
      }
      expect(await world.lost(), `after round ${round + 1}`).toEqual([])
    }
    expect(world.acknowledged()).toBeGreaterThan(ROUNDS * 3)
    const { body } = await world.send('GET', '/api/v1/diagnostics')
    const checks = body['checks'] as { status: string }[]
    expect(checks.filter(({ status }) => status === 'fault')).toEqual([])
  },
)
