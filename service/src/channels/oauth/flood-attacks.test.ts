import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openReaderWorld, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

let world: ReaderWorld
let server: string

beforeAll(async () => {
  world = await openReaderWorld({ CITEWELL_RATE_LIMITS: 'on' })
  server = (await world.makeServer('flooded')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const countOf = async (kind: string) =>
  Number(
    (await world.citewell.rows(`select count(*) from oauth_records where kind = '${kind}'`))[0]?.['count'],
  )

describe('a flood from one address within a minute', () => {
  test('visits to the consent page are limited too', { tags: ['long'] }, async () => {
    const clientId = await world.registered()
    const answers = await Promise.all(
      Array.from({ length: 320 }, () =>
        outsideRequest(world.authorization(clientId, server).url, { redirect: 'manual' }),
      ),
    )

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(300)
    expect(await countOf('Interaction')).toBe(300)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  verifies(
    'mcp-attacks.registrations',
    'of a thousand registrations in a minute only a few are stored',
    async () => {
      const statuses: Record<number, number> = {}
      for (let batch = 0; batch < 20; batch += 1) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => world.register()))
        for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
      }
      const refused = await world.register()

      expect(statuses).toEqual({ 201: 19, 429: 981 })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await countOf('Client')).toBe(20)
    },
    { tags: ['long'] },
  )
})
