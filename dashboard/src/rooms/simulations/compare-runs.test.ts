import type { SimulatedTicket } from '@citewell/sdk/management'
import { expect, test } from 'vitest'
import { compareRuns } from './compare-runs.ts'

const ticket = (body: string, outcome: SimulatedTicket['outcome']): SimulatedTicket => ({
  ref: null,
  subject: null,
  body,
  outcome,
  confidence: null,
  answer: null,
  citations: [],
})

test('a ticket is gained, lost, the same or new against an earlier run', () => {
  const before = [ticket('a', 'low_confidence'), ticket('b', 'deflected'), ticket('c', 'answer_failed')]
  const now = [
    ticket('a', 'deflected'),
    ticket('b', 'low_confidence'),
    ticket('c', 'low_confidence'),
    ticket('d', 'deflected'),
  ]
  expect(compareRuns(now, before).map(({ change }) => change)).toEqual(['gained', 'lost', 'same', 'new'])
})
