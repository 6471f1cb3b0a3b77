import type { AnswerSteps } from '@citewell/contract/traces'
import { expect, test } from 'vitest'
import { startTestService } from '../../../test/start-service.ts'

const ANSWER = 'The zebrafish sleeps at night and is fed twice a day.'
const OTHERS =
  'Tanks are cleaned on Mondays. The filter is made of wool. Lamps are switched off by a timer. Spare pumps are in the cellar.'

test('a passage is as near as its nearest sentence, which many others around it do not change', async () => {
  await using citewell = await startTestService()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Aquarium' })
  const of = `/api/v1/knowledge-bases/${base.id}`
  const source = await citewell.json<{ id: string }>('POST', `${of}/sources`, { type: 'push', name: 'push' })
  const page = { external_id: 'a', title: 'Handbook', url: 'https://example.com/a' }
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [{ ...page, markdown: `${OTHERS} ${ANSWER} ${OTHERS}` }],
  })

  const { retrieved } = await citewell.json<AnswerSteps>('POST', `${of}/try`, { query: ANSWER })
  expect(retrieved).toHaveLength(1)
  const [{ similarity, sentence_similarity: nearest } = {}] = retrieved
  // A sentence is embedded among its neighbours, so it is not wholly the question.
  expect(nearest).toBeGreaterThan(0.7)
  expect(similarity).toBeLessThan((nearest ?? 0) - 0.1)
})
