import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { PlatformRefusal, type Listening } from '../../chat-platform.ts'
import { mattermostUrl, readMattermostBot, TOKEN_REFUSED } from './mattermost-api.ts'
import { MattermostFrame, readMattermost } from './read-mattermost.ts'

/** A message has 16,383 characters of at most four bytes, twice in JSON, and what is around it. */
const MAX_BYTES = 1_048_576

const Hello = z.looseObject({ connection_id: z.string().max(200).optional() })

/** Where a connection ended, so that the next one begins there: Mattermost keeps what was sent meanwhile for a while. */
interface Resumption {
  connectionId: string
  next: number
}

const Resumption = z.object({ connectionId: z.string(), next: z.number() })

/** A greeting begins a connection; one that is continued has none. */
function positionAfter(
  { event, data, seq = 0 }: z.infer<typeof MattermostFrame>,
  before: Resumption | undefined,
): Resumption | undefined {
  const id = event === 'hello' ? Hello.safeParse(data).data?.connection_id : before?.connectionId
  return id === undefined || id === '' ? undefined : { connectionId: id, next: seq + 1 }
}

function socketUrl(address: string, from: Resumption | undefined): string {
  const url = new URL(`${address}/api/v4/websocket`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (from !== undefined) {
    url.searchParams.set('connection_id', from.connectionId)
    url.searchParams.set('sequence_number', String(from.next))
  }
  return url.href
}

/**
 * Hears what is written to the bot, until the connection ends.
 *
 * @returns where it ended
 * @throws PlatformRefusal, OutboundFailure
 */
export const listenToMattermost: Listening = async (account, { heard, connected, resumption }) => {
  const from = Resumption.safeParse(resumption).data
  const address = mattermostUrl(account.config)
  if (address === undefined)
    throw new PlatformRefusal('The setting api_url is missing, or is no https address.')
  const read = await readMattermostBot(account)
  if ('because' in read) throw new PlatformRefusal(read.because)
  const { bot } = read
  let position = from
  let isRefused = false
  /** The first event that could not be stored: the next connection begins there. What came after it and was stored is known by its id. */
  let lost: number | undefined
  let last: Promise<void> = Promise.resolve()
  const socket = await account.openSocket(socketUrl(address, from), {
    chosenBy: 'customer',
    // A connection is only continued for whoever proves in its first request to be the same.
    headers: { authorization: `Bearer ${account.credentials['bot_token'] ?? ''}` },
    signal: account.signal,
    maxBytes: MAX_BYTES,
    onText: (text) => {
      const frame = MattermostFrame.safeParse(parseJson(text)).data
      if (frame?.status === 'FAIL') {
        isRefused = true
        socket.close()
      }
      if (frame?.seq === undefined || frame.event === undefined) return
      const { seq } = frame
      position = positionAfter(frame, position)
      const event = readMattermost(frame, bot)
      if (event === undefined) return
      last = heard(event).catch(() => {
        lost = Math.min(lost ?? seq, seq)
        socket.close()
      })
    },
  })
  socket.send(
    JSON.stringify({
      seq: 1,
      action: 'authentication_challenge',
      data: { token: account.credentials['bot_token'] ?? '' },
    }),
  )
  connected()
  await socket.closed
  await last
  if (isRefused) throw new PlatformRefusal(TOKEN_REFUSED)
  return position === undefined || lost === undefined ? position : { ...position, next: lost }
}
