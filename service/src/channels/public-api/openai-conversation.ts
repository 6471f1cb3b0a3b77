import { LIMITS } from '@citewell/contract/limits'
import type { OpenAiChatBody } from '@citewell/contract/openai'
import type { EarlierTurn } from '../../answers/answering/answering.ts'
import { truncateText } from '../../kernel/cut-text.ts'
import { wrongField } from '../../kernel/refusal.ts'

type Message = OpenAiChatBody['messages'][number]

/** Number of earlier turns that are used, as in stored conversations. */
const EARLIER_TURNS = 8
/** Maximum characters kept of an earlier answer, to bound token cost. Our answers are shorter. */
const MAX_ANSWER_CHARACTERS = 8_000

const textOf = ({ content }: Message): string =>
  (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')).trim()

/** The list of sources that we append to an answer is not part of it. */
const stripSources = (answer: string) => answer.replace(/\n\n\*\*Sources\*\*\n\n[\s\S]*$/, '')

/**
 * Reads the question and the earlier turns from a client's messages: the last message of the user is the question. Turns without an answer
 * (tools, a retry) are skipped, and so are system messages: the holder of a key must not be able to change the rules of the answers.
 *
 * @throws Refusal BAD_REQUEST without a question, or with one that is too long
 */
export function readConversation({ messages }: Pick<OpenAiChatBody, 'messages'>): {
  query: string
  earlier: EarlierTurn[]
} {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[last]
  const query = asked === undefined ? '' : textOf(asked)
  if (query === '') throw wrongField('messages', 'must contain a user message with text')
  if (Array.from(query).length > LIMITS.query)
    throw wrongField(
      `messages.${last}.content`,
      `must have at most ${LIMITS.query.toLocaleString('en')} characters`,
    )
  const earlier: EarlierTurn[] = []
  let question = ''
  for (const message of messages.slice(0, last)) {
    if (message.role === 'user') question = textOf(message)
    if (message.role !== 'assistant' || question === '' || textOf(message) === '') continue
    earlier.push({
      query: truncateText(question, LIMITS.query),
      answer: truncateText(stripSources(textOf(message)), MAX_ANSWER_CHARACTERS),
      citedTitles: [],
    })
    question = ''
  }
  return { query, earlier: earlier.slice(-EARLIER_TURNS) }
}
