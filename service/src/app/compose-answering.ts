import { randomBytes } from 'node:crypto'
import type { Allowance } from '../accounts/allowance/allowance.ts'
import { createAnswering } from '../answers/answering/answering.ts'
import { createInFlightAnswers } from '../answers/in-flight-answers/in-flight-answers.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Conversations } from '../answers/conversations/conversations.ts'
import {
  createQuestionPreparation,
  type QuestionSettingsReader,
} from '../answers/question-settings/question-settings.ts'
import type { CustomAnswers } from '../content/custom-answers/custom-answers.ts'
import type { Search } from '../content/search/search.ts'
import type { Events } from '../platform/events/events.ts'
import type { Log } from '../platform/log/log.ts'
import type { Platform } from './compose-platform.ts'

export interface AnsweringParts {
  db: Storage['db']
  log: Log
  platform: Platform
  search: Search
  conversations: Conversations
  events: Events
  allowance: Pick<Allowance, 'reserve'>
  questionSettings: Pick<QuestionSettingsReader, 'of'>
  customAnswers: Pick<CustomAnswers, 'findAmong'>
}

/** Answering, given the rooms it reads from and writes to. */
export function composeAnswering({
  db,
  log,
  platform,
  search,
  conversations,
  events,
  allowance,
  questionSettings,
  customAnswers,
}: AnsweringParts) {
  const { embedder, workspaceModels, pseudonymOf } = platform
  const report = (fault: unknown, doing: string) => log.error({ err: fault }, `${doing} failed`)

  return createAnswering({
    prepare: createQuestionPreparation({ questionSettings, workspaceModels, pseudonymOf }),
    embedder,
    now: () => performance.now(),
    newFence: () => randomBytes(12).toString('hex'),
    countTokens: (text) => embedder?.countTokens(text) ?? Math.ceil(text.length / 4),
    // The surfaces open the base and check its state before a question comes here.
    reserveQuota: (question) => allowance.reserve(question.knowledgeBaseId),
    search: async (request) => {
      const language = await search.languageOf(request.knowledgeBaseId)
      return await search.findPassages({ ...request, language })
    },
    history: (question) => conversations.history(question),
    storeTurn: conversations.storeTurn,
    customAnswersAmong: customAnswers.findAmong,
    inFlightAnswers: createInFlightAnswers({ db, events, report }),
    report,
  })
}
