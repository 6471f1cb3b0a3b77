import { expect, onTestFinished, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { openModel } from '../../../test/open-model.ts'
import { coverageFeatures, judgeCoverage } from './coverage-gate.ts'
import { missingShare } from './missing-words.ts'

test('rare words of a question that no passage names make it less likely to be covered', async () => {
  const model = await openModel()
  onTestFinished(() => model.close())
  const rarityOf = (word: string) => model.rarityOf?.(word) ?? 0
  const broker = passage(1, 'Redis is a broker. Configure the brokers of the queue.')
  const missing = (query: string) => missingShare(query, [broker], rarityOf)
  expect(missing('use redis as broker')).toBe(0)
  expect(missing('configuring a broker')).toBe(0)
  expect(missing('use kubernetes as broker')).toBe(0.5)
  expect(missing('use kafka as broker')).toBeGreaterThan(0.4)
  // Common words and numbers may be said in other words.
  expect(missing('which broker is better?')).toBeLessThan(0.1)
  expect(missing('broker 5f3a9c at 8080')).toBe(0)

  // A word that only contains the letters does not name it; a proper name counts as rare.
  const digital = passage(1, 'The daily allowance is digital. Paris: 60 €.')
  const named = (query: string) => missingShare(query, [digital], rarityOf)
  expect(named('daily allowance for Italy')).toBeCloseTo(0.7 / 3, 2)
  expect(named('Daily allowance for Paris')).toBe(0)
  expect(named('What changed? Italian allowance')).toBeLessThan(0.2)

  // A noun of a verb and its particle is what the verb says, and the other way round.
  const joined = passage(
    1,
    'Set up SAML. Log in with your provider, and back up its keys. The fail-over is automatic.',
  )
  const saidIn = (query: string) => missingShare(query, [joined], rarityOf)
  const same = ['SAML setup', 'backups of keys', 'login provider', 'does it fail over', 'SAML set-up']
  expect(same.filter((query) => saidIn(query) !== 0)).toEqual([])
  expect(saidIn('SAML rollback')).toBeGreaterThan(0)
  // Where the verb is a noun, nobody logs in.
  const log = passage(1, 'The log in this folder is rotated.')
  expect(missingShare('rotated log', [log], rarityOf)).toBe(0)
  expect(missingShare('login', [log], rarityOf)).toBeGreaterThan(0)

  const features = coverageFeatures('use kafka as broker', { passages: [broker], pages: 100 })
  const judged = (share: number) =>
    judgeCoverage({ ...features, nearest: 0.7, nearestMean: 0.6, missing: share })
  expect([judged(0).isCovered, judged(0.9).isCovered]).toEqual([true, false])
  // The nearest passages are shown all the same.
  expect(judged(0.9)).toMatchObject({ confidence: expect.closeTo(0, 1) as number, isNear: true })
})
