import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { PlatformRefusal, type BotAccount, type Listening } from '../../chat-platform.ts'
import { isSocketAddress } from '../../socket-address.ts'
import { eventOfSlack } from './read-slack.ts'
import { callSlack } from './slack-api.ts'

/** An event with a message of 40,000 characters. */
const MAX_BYTES = 1_048_576

const Opened = z.looseObject({ ok: z.literal(true), url: z.string().max(4_000) })

/** What comes over the connection: `hello` and `disconnect` have no envelope. */
const Frame = z.looseObject({
  type: z.string().max(100),
  envelope_id: z.string().max(200).optional(),
  payload: z.unknown().optional(),
})

/** The address of a connection: Slack gives a new one for each. @throws PlatformRefusal, OutboundFailure */
async function addressOf(account: BotAccount): Promise<string> {
  const appToken = account.credentials['app_token'] ?? ''
  const asApp = { ...account, credentials: { ...account.credentials, bot_token: appToken } }
  const { body } = await callSlack('apps.connections.open', {}, asApp)
  const opened = Opened.safeParse(body).data
  if (opened !== undefined && isSocketAddress(opened.url, account)) return opened.url
  const error = body?.error ?? ''
  const code = /^[a-z_]{1,60}$/.test(error) ? error : 'no answer'
  throw new PlatformRefusal(
    `Slack opens no connection for the app-level token (${code}). Under Basic Information, App-Level Tokens, make one with the scope connections:write, and switch Socket Mode on.`,
  )
}

/**
 * Hears what Slack tells over Socket Mode, until the connection ends: Slack ends each of them after some hours. An event is acknowledged
 * when it is stored; one that is not comes again.
 *
 * @throws PlatformRefusal, OutboundFailure
 */
export const listenToSlack: Listening = async (account, { heard, connected }) => {
  const address = await addressOf(account)
  const socket = await account.openSocket(address, {
    chosenBy: 'customer',
    signal: account.signal,
    maxBytes: MAX_BYTES,
    onText: (text) => {
      const frame = Frame.safeParse(parseJson(text)).data
      if (frame?.type === 'hello') connected()
      if (frame?.type === 'disconnect') socket.close()
      const envelope = frame?.envelope_id
      if (envelope === undefined) return
      const acknowledge = () => socket.send(JSON.stringify({ envelope_id: envelope }))
      const event = eventOfSlack(frame?.payload)
      if (event === undefined) acknowledge()
      // A connection that has ended meanwhile: it comes again.
      else void heard(event).then(acknowledge, () => undefined)
    },
  })
  await socket.closed
  return undefined
}
