import { randomBytes } from 'node:crypto'
import { createAnswering } from '../answers/answering/answering.ts'
import type { Conversations } from '../answers/conversations/conversations.ts'
import { createInFlightAnswers } from '../answers/in-flight-answers/in-flight-answers.ts'
import type { QuestionSettingsReader } from '../answers/question-settings/question-settings.ts'
import type { AccountRooms } from './compose-accounts.ts'
import type { ContentRooms } from './compose-content.ts'
import type { RoomParts } from './room-parts.ts'

export interface AnsweringRooms
  extends Pick<AccountRooms, 'allowance'>, Pick<ContentRooms, 'ownSearch' | 'customAnswers'> {
  conversations: Conversations
  questionSettings: Pick<QuestionSettingsReader, 'from'>
}

/** Answering, given the rooms it reads from and writes to. */
export function composeAnswering(
  { db, report, platform }: RoomParts,
  { ownSearch, allowance, customAnswers, conversations, questionSettings }: AnsweringRooms,
) {
  const { embedder, events, workspaceModels, pseudonymOf } = platform
  return createAnswering({
    questionSettings,
    workspaceModels,
    pseudonymOf,
    embedder,
    now: () => performance.now(),
    newFence: () => randomBytes(12).toString('hex'),
    countTokens: (text) => embedder()?.countTokens(text) ?? Math.ceil(text.length / 4),
    allowance,
    search: ownSearch,
    conversations,
    customAnswers,
    inFlightAnswers: createInFlightAnswers({ db, events, report }),
    report,
  })
}
