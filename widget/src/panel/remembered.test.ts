import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from './conversation.ts'
import { createRemembered } from './remembered.ts'
import type { Turn } from './turn.ts'

const NOW = Date.UTC(2026, 10, 27)

/** What was stored last: a tab sees it when it is told. */
let stored: string | null

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  stored = null
  vi.stubGlobal('addEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A tab with its own view of the storage: it sees what it wrote itself, and what others wrote once it has been told. */
function openTab() {
  const remembered = createRemembered('local', 'base')
  let view: string | null = stored
  let shown: Conversation = { turns: [], threadId: undefined }
  const within = <Result>(run: () => Result): Result => {
    vi.stubGlobal('localStorage', {
      getItem: () => view,
      setItem: (_key: string, value: string) => (view = stored = value),
      removeItem: () => (view = stored = null),
    })
    return run()
  }
  return {
    questions: () => shown.turns.map(({ question, status }) => `${question} ${status}`),
    write: (...turns: Turn[]) => {
      const ids = turns.map(({ id }) => id)
      const kept = shown.turns.filter(({ id }) => !ids.includes(id))
      shown = within(() => remembered.write({ turns: [...kept, ...turns], threadId: 'thread' }))
    },
    /** Puts another list in the place of what is on the screen. */
    keep: (...turns: Turn[]) => {
      shown = within(() => remembered.write({ turns, threadId: 'thread' }))
    },
    hear: () => {
      view = stored
      shown = within(() => remembered.take(shown))
    },
  }
}

const turn = (id: number, question: string, status: Turn['status'] = 'done'): Turn => ({
  id: NOW + id,
  question,
  quote: '',
  status,
  found: [],
  text: '',
  citations: [],
  covered: true,
  messageId: status === 'done' ? `message-${id}` : undefined,
  failure: undefined,
  rating: undefined,
  commented: false,
  comment: '',
  isUnsent: false,
})

test.each(['waiting', 'done'] as const)(
  'a %s turn that another tab wrote over before it saw it is on both screens and in the record again',
  (status) => {
    const one = openTab()
    const other = openTab()
    one.write(turn(1, 'First?', status))
    other.write(turn(2, 'Second?'))
    one.hear()
    expect(one.questions()).toEqual([`First? ${status}`, 'Second? done'])
    one.write(turn(1, 'First?'))
    other.hear()
    expect(other.questions()).toEqual(['First? done', 'Second? done'])
    const before = stored
    one.hear()
    other.hear()
    // Nobody writes what is there already: two tabs would write for ever.
    expect(stored).toBe(before)
  },
)

test('an answer that is complete is not taken back by a tab that saw it being written', () => {
  const one = openTab()
  const other = openTab()
  one.write(turn(1, 'First?', 'writing'))
  other.hear()
  one.write(turn(1, 'First?'))
  other.write(turn(2, 'Second?'))
  one.hear()
  expect(one.questions()).toEqual(['First? done', 'Second? done'])
})

test.each([
  ['failed, and is asked again in another tab', 'failed', 0],
  ['is more than a minute old, and was removed in another tab', 'done', 60_001],
] as const)('a turn that %s does not come back', (_what, status, later) => {
  const one = openTab()
  one.write(turn(1, 'First?', status))
  const other = openTab()
  other.hear()
  vi.setSystemTime(NOW + later)
  other.keep(turn(2, 'First?'))
  one.hear()
  expect(one.questions()).toEqual(['First? done'])
})
