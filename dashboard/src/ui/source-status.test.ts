import type { Source } from '@citewell/sdk/management'
import { expect, test } from 'vitest'
import { sourceTone } from './source-status.ts'

type Sync = NonNullable<Source['last_sync']>

/** What the screens show of a website whose last sync ended so. */
const shown = (last: Partial<Sync>) =>
  sourceTone({
    type: 'website',
    status: 'idle',
    held_sync_id: null,
    last_sync: { status: 'succeeded', hold: null, warnings: [], ...last },
  } as unknown as Source).word

test('a source of which a limit left something out is not up to date', () => {
  expect(shown({})).toBe('Up to date')
  expect(shown({ warnings: ['The limit of 2 pages is reached.'] })).toBe('Something left out')
  expect(shown({ status: 'partial', warnings: ['The limit of 2 pages is reached.'] })).toBe('Read in part')
})
