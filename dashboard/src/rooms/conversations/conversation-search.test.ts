import { expect, test } from 'vitest'
import { filterOf, readConversationSearch, withDay } from './conversation-search.ts'

test('what an address limits the conversations to is asked of the service', () => {
  const search = readConversationSearch({
    show: 'not-covered',
    q: ' rotate keys ',
    where: 'widget',
    from: '2026-03-09',
    to: '2026-03-15',
  })
  expect(filterOf(search)).toEqual({
    covered: 'false',
    text: 'rotate keys',
    surface: 'widget',
    from: '2026-03-09',
    to: '2026-03-15',
  })
  expect(filterOf(readConversationSearch({ show: 'down', q: 404 }))).toEqual({ rating: 'down', text: '404' })
  expect(filterOf({})).toEqual({})
})

test('what the service would refuse is left out of an address', () => {
  expect(
    readConversationSearch({ show: 'x', q: '  ', where: 'moon', from: '2026-02-31', to: 'yesterday' }),
  ).toEqual({})
  expect(readConversationSearch({ from: '2026-03-09', to: '2026-03-08' })).toEqual({ from: '2026-03-09' })
  expect(readConversationSearch({ q: 'x'.repeat(300) }).q).toHaveLength(200)
})

test('of two days that leave none between them, the one that was chosen last counts', () => {
  const days = { from: '2026-03-09', to: '2026-03-15' }
  expect(withDay(days, { to: '2026-03-10' })).toEqual({ from: '2026-03-09', to: '2026-03-10' })
  expect(withDay(days, { to: '2026-03-01' })).toEqual({ from: '', to: '2026-03-01' })
  expect(withDay(days, { from: '2026-04-01' })).toEqual({ from: '2026-04-01', to: '' })
  expect(withDay(days, { from: '' })).toEqual({ from: '', to: '2026-03-15' })
})
