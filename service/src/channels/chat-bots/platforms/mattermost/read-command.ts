import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'
import type { HookClaim, HookRequest, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'
import { MattermostId } from './mattermost-api.ts'

/** What Mattermost sends when somebody enters the command. */
const Command = z.object({
  channel_id: MattermostId,
  user_id: MattermostId,
  user_name: z.string().max(200).optional().catch(undefined),
  text: z.string().max(70_000).default(''),
  response_url: z.string().max(2_000),
})

/** A command has no thread: after so long without one a new conversation of who asks begins. */
const CONVERSATION_LASTS_MS = 30 * 60 * 1_000
const MAX_SHOWN_QUESTION = 300

const formOf = (rawBody: Uint8Array) => new URLSearchParams(new TextDecoder().decode(rawBody))

/** Mattermost proves a command with the token that it made for it: no signature, no time. */
export function isMattermostCommand({ headers, rawBody, credentials }: HookClaim): boolean {
  const token = credentials['command_token'] ?? ''
  if (token === '') return false
  const header = headers.get('authorization')
  // Old servers send it in the body alone.
  const given = header === null ? formOf(rawBody).get('token') : header.replace(/^Token /, '')
  return isEqualInConstantTime(token, given)
}

/** Only who entered the command sees it. */
const privately = (text: string) => ({ response_type: 'ephemeral', text })

/** The id under which Mattermost takes answers to this one command, at its own address: any other address is not called. */
const answerIdOf = (url: string): string | undefined =>
  MattermostId.safeParse(URL.parse(url)?.pathname.split('/').at(-1)).data

/** What the command means, and what is said until it is answered. */
export function readMattermostCommand({
  rawBody,
  isOn,
}: HookRequest & { isOn: boolean }): ReadDelivery<ChatIncoming> {
  if (!isOn) return { reply: privately('This bot is switched off.') }
  const given = Command.safeParse(Object.fromEntries(formOf(rawBody))).data
  const answerId = answerIdOf(given?.response_url ?? '')
  if (given === undefined || answerId === undefined)
    return { reply: privately('This is not a question that I know.') }
  const { channel_id, user_id, user_name, text } = given
  const question = truncateText(text.trim(), 20_000)
  if (question === '') return { reply: privately('Ask me a question, behind the command.') }
  const conversation = `${channel_id}:${user_id}`
  return {
    reply: privately('I am reading the documentation…'),
    event: {
      deliveryId: answerId,
      lane: conversation,
      channel: channel_id,
      incoming: {
        kind: 'question',
        conversation,
        lastsMs: CONVERSATION_LASTS_MS,
        lane: channel_id,
        // Nobody else sees what was asked: the answer says it.
        place: {
          channel_id,
          root_id: '',
          answer_id: answerId,
          question: truncateText(question, MAX_SHOWN_QUESTION),
        },
        asker: user_name,
        text: question,
      },
    },
  }
}
