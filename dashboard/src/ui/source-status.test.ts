import type { Source } from '@citewell/sdk/management'
import { expect, test } from 'vitest'
import { sourceTone, worstFirst } from './source-status.ts'

type Sync = NonNullable<Source['last_sync']>

/** A website whose last sync ended so. */
const website = (last: Partial<Sync>, of: Partial<Source> = {}) =>
  ({
    type: 'website',
    status: 'idle',
    document_count: 3,
    held_sync_id: null,
    ...of,
    last_sync: { status: 'succeeded', hold: null, warnings: [], ...last },
  }) as Source

/** What the screens show of it. */
const shown = (last: Partial<Sync>, of: Partial<Source> = {}) => sourceTone(website(last, of)).word

test('a source of which a limit left something out is not up to date', () => {
  expect(shown({})).toBe('Up to date')
  expect(shown({ warnings: ['The limit of 2 pages is reached.'] })).toBe('Something left out')
  expect(shown({ status: 'partial', warnings: ['The limit of 2 pages is reached.'] })).toBe('Read in part')
})

test('a source without a document is not up to date, and nothing was pushed to it', () => {
  expect(shown({}, { document_count: 0 })).toBe('No documents')
  expect(shown({}, { type: 'push', document_count: 0 })).toBe('Nothing pushed yet')
  expect(shown({}, { type: 'push' })).toBe('Pushed')
})

test('sources that failed come first, then those that lack something, and otherwise their order stays', () => {
  const sources = [
    website({}, { name: 'good' }),
    website({ status: 'partial' }, { name: 'in part' }),
    website({ status: 'failed' }, { name: 'failed', status: 'failed' }),
    website({}, { name: 'good too' }),
    website({ status: 'failed' }, { name: 'failed too', status: 'failed' }),
  ]
  expect(worstFirst(sources).map(({ name }) => name)).toEqual([
    'failed',
    'failed too',
    'in part',
    'good',
    'good too',
  ])
})
