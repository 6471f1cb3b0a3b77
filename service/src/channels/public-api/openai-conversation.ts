import { LIMITS } from '@citewell/contract/limits'
import type { OpenAiChatBody } from '@citewell/contract/openai'
import type { EarlierTurn } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'

type Message = OpenAiChatBody['messages'][number]

/** How far back a question looks, as in conversations that are kept here. */
const EARLIER_TURNS = 8
/** Longer than answers are; whoever sends more pays for nobody's model with it. */
const MOST_OF_AN_ANSWER = 8_000

const textOf = ({ content }: Message): string =>
  (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')).trim()

const refused = (path: string, message: string) =>
  new Refusal('BAD_REQUEST', { details: [{ path, message }] })

/** The sources that we put below an answer are no part of what was said. */
const withoutSources = (answer: string) => answer.replace(/\n\n\*\*Sources\*\*\n\n[\s\S]*$/, '')

/**
 * What a client's messages ask: the last one of the user is the question, the ones before it are the turns that it goes
 * on with. A turn without an answer (tools, a retry) is passed over, and so are system messages: whoever holds a key
 * must not be able to write the rules of the answers.
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
  if (query === '') throw refused('messages', 'must have a message of the user with text')
  if (Array.from(query).length > LIMITS.query) {
    throw refused(
      `messages.${last}.content`,
      `must have at most ${LIMITS.query.toLocaleString('en')} characters`,
    )
  }
  const earlier: EarlierTurn[] = []
  let question = ''
  for (const message of messages.slice(0, last)) {
    if (message.role === 'user') question = textOf(message)
    if (message.role !== 'assistant' || question === '' || textOf(message) === '') continue
    earlier.push({
      query: question.slice(0, LIMITS.query),
      answer: withoutSources(textOf(message)).slice(0, MOST_OF_AN_ANSWER),
      citedTitles: [],
    })
    question = ''
  }
  return { query, earlier: earlier.slice(-EARLIER_TURNS) }
}
