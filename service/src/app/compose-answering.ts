import { randomBytes } from 'node:crypto'
import { createAnswering } from '../answers/answering/answering.ts'
import type { Conversations } from '../answers/conversations/conversations.ts'
import type { Search } from '../content/search/search.ts'
import type { Events } from '../platform/events/events.ts'
import type { Log } from '../platform/log/log.ts'
import type { Platform } from './compose-platform.ts'

export interface AnsweringParts {
  log: Log
  platform: Platform
  search: Search
  conversations: Conversations
  events: Events
}

/** Answering, given the rooms it reads from and writes to. */
export function composeAnswering({ log, platform, search, conversations, events }: AnsweringParts) {
  const { embedder, model } = platform

  return createAnswering({
    model,
    embedder,
    now: () => performance.now(),
    newFence: () => randomBytes(12).toString('hex'),
    countTokens: (text) => embedder?.countTokens(text) ?? Math.ceil(text.length / 4),
    // The surfaces open the base and check its state before a question comes here.
    admit: () => Promise.resolve({ giveBack: () => Promise.resolve() }),
    search: async (request) => {
      const language = await search.languageOf(request.knowledgeBaseId)
      return await search.findPassages({ ...request, language })
    },
    history: (question) => conversations.history(question),
    storeTurn: async (turn) => {
      const ids = await conversations.storeTurn(turn)
      if (ids !== undefined && turn.stoppedBy === undefined) {
        const { knowledgeBaseId } = turn.question
        events.announce('conversation.completed', { knowledgeBaseId, ...ids })
      }
      return ids
    },
    report: (fault, doing) => log.error({ err: fault }, `${doing} failed`),
  })
}
