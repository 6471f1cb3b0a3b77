import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { createUseRecorder } from './last-use.ts'

const at = (seconds: number) => new Date(Date.parse('2026-03-09T10:00:00.000Z') + seconds * 1_000)

/** A recorder that keeps the times that it writes. */
const openRecorder = (written: Date[]) =>
  createUseRecorder(
    ({ now }) => Promise.resolve(void written.push(now)),
    (error) => {
      throw error
    },
  )

verifies(
  ['connected-tools.last-used', 'client-keys.last-used'],
  'of uses after 0, 59.999 and 60 seconds those after 0 and 60 are written, by one process and by several',
  () => {
    const byOne: Date[] = []
    const recordUse = openRecorder(byOne)
    const bySeveral: Date[] = []
    for (const seconds of [0, 59.999, 60]) {
      // It knows of its own write before a request reads it back.
      recordUse({ id: 'one', recorded: null, now: at(seconds) })
      openRecorder(bySeveral)({ id: 'one', recorded: bySeveral.at(-1) ?? null, now: at(seconds) })
    }
    expect(byOne).toEqual([at(0), at(60)])
    expect(bySeveral).toEqual([at(0), at(60)])
  },
)
