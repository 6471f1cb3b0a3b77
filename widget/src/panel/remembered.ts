import type { Conversation, Remembered } from './conversation.ts'
import { isOpen } from './turn.ts'

/** A conversation is kept this long, in milliseconds: half an hour in a tab, a week if the page asked for more. */
const KEPT_MS = { session: 1_800_000, local: 604_800_000 }

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

/**
 * Keeps the conversation over a reload. Nothing is written before the first question, and nothing at all with `none`. What is read is
 * not believed: another script of the site may have written it.
 */
export function createRemembered(kind: StorageKind, knowledgeBaseId: string): Remembered {
  const key = `citewell:${knowledgeBaseId}`
  const withStorage = openStorage(kind)
  return {
    read: () =>
      withStorage((storage) => {
        const { at, conversation } = JSON.parse(storage.getItem(key) ?? '{}') as {
          at?: number
          conversation?: Conversation
        }
        if (at === undefined || kind === 'none' || Date.now() - at > KEPT_MS[kind]) return undefined
        return isConversation(conversation) ? conversation : undefined
      }),
    write: (conversation) =>
      withStorage((storage) => {
        // A page that goes away in the middle of an answer comes back to a question that can be asked again.
        const turns = conversation.turns.map((turn) => (isOpen(turn) ? { ...turn, status: 'stopped' } : turn))
        if (turns.length === 0) return storage.removeItem(key)
        const record = JSON.stringify({ at: Date.now(), conversation: { ...conversation, turns } })
        if (record.length <= LONGEST) storage.setItem(key, record)
      }),
    forget: () => withStorage((storage) => storage.removeItem(key)),
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
