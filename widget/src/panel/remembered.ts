import { NO_CONVERSATION, type Conversation, type Remembered } from './conversation.ts'
import { isOpen, type Turn } from './turn.ts'

/** A conversation is kept this long, in milliseconds: half an hour in a tab, a week if the page asked for more. */
const KEPT_MS = { session: 1_800_000, local: 604_800_000 }

/**
 * In milliseconds after a question: a turn that is gone from the record meanwhile was written over by a tab that could not see it yet. A
 * browser shows a tab later than it happens what another one stored.
 */
const WRITTEN_OVER_MS = 60_000

/** Longest record, in characters. */
const LONGEST = 400_000

export type StorageKind = 'session' | 'none' | 'local'

/** Runs with the storage that the page chose. Undefined where there is none: a browser that keeps nothing, or a full one. */
export const openStorage =
  (kind: StorageKind) =>
  <Result>(run: (storage: Storage) => Result): Result | undefined => {
    if (kind === 'none') return undefined
    try {
      return run(kind === 'local' ? localStorage : sessionStorage)
    } catch {
      return undefined
    }
  }

/** A page that goes away in the middle of an answer comes back to a question that can be asked again. */
const closed = (turn: Turn): Turn => (isOpen(turn) ? { ...turn, status: 'stopped' } : turn)

/** Such a turn is not removed elsewhere: what is asked again has failed or was stopped, and what many others displace is old. */
const isFresh = (turn: Turn) => Date.now() - turn.id < WRITTEN_OVER_MS && (isOpen(turn) || turn.messageId)

const byId = ({ turns }: Conversation) => new Map(turns.map((turn) => [turn.id, turn]))

/**
 * Keeps the conversation over a reload. Nothing is written before the first question, and nothing at all with `none`. What is read is
 * not believed: another script of the site may have written it.
 *
 * Several tabs may have it (`local`), and each writes all of it. So each knows what was stored when it looked last: of what is different
 * since, the tab's own changes win, and what others asked, changed or removed is taken from them. What they wrote over unseen is
 * written again.
 */
export function createRemembered(kind: StorageKind, knowledgeBaseId: string): Remembered {
  const key = `citewell:${knowledgeBaseId}`
  const withStorage = openStorage(kind)
  /** What was stored when this tab looked last. */
  let known = NO_CONVERSATION

  const read = () =>
    withStorage((storage) => {
      const record = JSON.parse(storage.getItem(key) ?? '{}') as { at?: number; conversation?: Conversation }
      return isConversation(record.conversation) ? record : undefined
    })
  /**
   * What is stored from now on, what of it is on the screen (an answer that another tab writes comes when it is complete), and what of
   * the screen is stored already.
   */
  function merge(mine: Conversation) {
    const theirs = kind === 'local' && read()?.conversation
    if (!theirs) return { all: mine, shown: mine, seen: known, added: [] }
    const own = byId(mine)
    const before = byId(known)
    const kept = theirs.turns.flatMap((turn) => {
      const now = own.get(turn.id)
      const last = before.get(turn.id)
      if (!now) return last ? [] : turn
      return isOpen(turn) || isOpen(now) || JSON.stringify(now) !== JSON.stringify(last) ? now : turn
    })
    // A map for each turn, of which there are 50 at most: one for all would be larger in the file that pages load.
    const added = mine.turns.filter(
      (turn) => !byId(theirs).has(turn.id) && (!before.has(turn.id) || isFresh(turn)),
    )
    const turns = kept.concat(added).sort((a, b) => a.id - b.id)
    const threadId = (mine.threadId === known.threadId ? theirs : mine).threadId
    const isShown = (turn: Turn) => !isOpen(turn) || own.has(turn.id)
    return {
      all: { turns, threadId },
      shown: { turns: turns.filter(isShown), threadId },
      seen: { ...theirs, turns: theirs.turns.filter(isShown) },
      added,
    }
  }

  function write(mine: Conversation) {
    const { all, shown } = merge(mine)
    withStorage((storage) => {
      if (all.turns.length === 0) return storage.removeItem(key)
      const record = JSON.stringify({ at: Date.now(), conversation: all })
      if (record.length > LONGEST) return
      storage.setItem(key, record)
      known = shown
    })
    return shown
  }

  return {
    write,
    read: () => {
      const { at, conversation } = read() ?? {}
      if (!at || !conversation || kind === 'none' || Date.now() - at > KEPT_MS[kind]) return undefined
      known = { ...conversation, turns: conversation.turns.map(closed) }
      return known
    },
    forget: () => {
      known = NO_CONVERSATION
      withStorage((storage) => storage.removeItem(key))
    },
    follow: (heard, signal) => {
      if (kind === 'local')
        addEventListener(
          'storage',
          (event) => {
            if (event.key !== key) return
            if (!event.newValue) known = NO_CONVERSATION
            heard(!event.newValue)
          },
          { signal },
        )
    },
    take: (mine) => {
      const { shown, seen, added } = merge(mine)
      if (added[0]) return write(mine)
      known = seen
      return shown
    },
  }
}

function isConversation(value: Conversation | undefined): value is Conversation {
  return (
    Array.isArray(value?.turns) &&
    value.turns.length > 0 &&
    value.turns.every(
      ({ id, question, text, found, citations, quote, comment }) =>
        typeof id === 'number' &&
        [question, text, quote, comment].every((part) => typeof part === 'string') &&
        [found, citations].every(
          (list) =>
            Array.isArray(list) &&
            list.every(
              ({ index, title, url, excerpt, headingPath }) =>
                typeof index === 'number' &&
                [title, url, excerpt].every((part) => typeof part === 'string') &&
                Array.isArray(headingPath),
            ),
        ),
    )
  )
}
