import { oneLine } from '../../../../kernel/one-line.ts'
import type { DeskAccount, HelpDesk } from '../../help-desk.ts'
import { checkDesk, isShown } from '../check-desk.ts'
import { changedTickets } from './rt-changes.ts'
import { openRtTicket, postToRt } from './rt-posts.ts'
import { readFromRt, rtApi, settingOf } from './rt-api.ts'
import { RtNamed } from './rt-schemas.ts'
import { readRtTicket } from './rt-ticket.ts'

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (rtApi(config) === undefined)
    yield 'The setting api_url is missing, or is not an https address: that of your Request Tracker, such as https://rt.example.com.'
  if ((credentials['token'] ?? '') === '')
    yield 'The credential token is missing: an auth token of the user that answers.'
  if (settingOf(config, 'username') === undefined)
    yield 'The setting username is missing: the name of the user that the token belongs to.'
}

const check = checkDesk({
  address: rtApi,
  missingHere,
  async *ask(account) {
    const username = settingOf(account.config, 'username')
    if (username === undefined || (account.credentials['token'] ?? '') === '') return undefined
    if (!(await isThere(`/user/${encodeURIComponent(username)}`, account)))
      yield `Its token sees no user ${oneLine(username, 80)} in Request Tracker.`
    const queue = settingOf(account.config, 'queue')
    if (queue !== undefined && !(await isThere(`/queue/${encodeURIComponent(queue)}`, account)))
      yield `Its user sees no queue ${oneLine(queue, 80)}: it needs the right SeeQueue there.`
    return `${oneLine(username, 80)} in Request Tracker`
  },
})

/** RT forbids what is not there. */
const isThere = (path: string, account: DeskAccount) => isShown(() => readFromRt(path, RtNamed, account))

/** Request Tracker 5, by REST 2.0. It is asked for changes, because it tells none. */
export const REQUEST_TRACKER: HelpDesk = {
  handles: 'tickets',
  spacingMs: 0,
  changes: changedTickets,
  ticket: readRtTicket,
  post: postToRt,
  open: openRtTicket,
  check,
  setup: {
    credentials: { token: 'Admin, Users, the user that answers, Auth Tokens, Create.' },
    settings: {
      api_url: 'The address of your Request Tracker, such as https://rt.example.com.',
      username: 'The name of the user that the token belongs to.',
      queue: 'The queue whose tickets are answered. Without it: all that the user sees.',
      intake_users:
        'Users that create tickets for customers, such as that of a web form, with commas between them.',
      status_after_answer: 'The status of a ticket after its answer, such as resolved.',
      hand_over_to: 'The queue that a ticket is moved to when its customer writes again.',
    },
  },
}
