import type { EarlierTurn, Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'

export interface ReadEarlierDeps {
  conversations: {
    /** Earlier turns of the conversation that a question continues, oldest first, limited to what its asker may still read. */
    history: (question: Question) => Promise<EarlierTurn[]>
  }
}

/** The earlier turns, masked by the current settings: they may be older than the settings, or sent by the client. */
export async function readEarlierTurns(
  question: Question,
  { conversations, masking }: ReadEarlierDeps & Pick<AskContext, 'masking'>,
): Promise<readonly EarlierTurn[]> {
  const turns = question.earlier ?? (await conversations.history(question))
  if (!masking.isOn) return turns
  return turns.map(({ query, answer, citedTitles, ...turn }) => ({
    ...turn,
    query: masking.mask(query),
    answer: masking.maskAnswer(answer, citedTitles),
    citedTitles,
  }))
}
