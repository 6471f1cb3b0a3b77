import type { GoogleChatMessage } from './google-chat-stand-in.ts'

let made = 0

export const SPACE = { name: 'spaces/AAAhelp', type: 'ROOM', spaceType: 'SPACE', displayName: 'Help' }
export const DIRECT = {
  name: 'spaces/AAAdirect',
  type: 'DM',
  spaceType: 'DIRECT_MESSAGE',
  singleUserBotDm: true,
}
const ADA = { name: 'users/501', displayName: 'Ada [L]', email: 'ada@acme.example', type: 'HUMAN' }

interface Asked {
  type: string
  message: Record<string, unknown> & { name: string; thread: { name: string } }
  [field: string]: unknown
}

/** A message of a person that names the app, as a Chat app gets it. */
export function googleChatSaid(
  words: string,
  { space = SPACE, ...fields }: { space?: object & { name: string }; [field: string]: unknown } = {},
): Asked {
  made += 1
  return {
    type: 'MESSAGE',
    eventTime: `2026-11-26T10:00:00.${String(made).padStart(6, '0')}Z`,
    message: {
      name: `${space.name}/messages/q${made}.q${made}`,
      sender: ADA,
      text: `@Docs ${words}`,
      argumentText: ` ${words}`,
      thread: { name: `${space.name}/threads/t${made}` },
      space,
      ...fields,
    },
    user: ADA,
    space,
  }
}

/** The same as an add-on gets it. */
export const asAddOn = ({ message, user, space, eventTime }: Asked) => ({
  commonEventObject: { userLocale: 'en', hostApp: 'CHAT', platform: 'WEB' },
  authorizationEventObject: { systemIdToken: 'x' },
  chat: { user, eventTime, type: 'MESSAGE', messagePayload: { message, space } },
})

/** A press on a button under a message of the app. */
export function googleChatPressed(
  of: GoogleChatMessage | undefined,
  act: string,
  { space = SPACE, thread }: { space?: object; thread?: string } = {},
) {
  made += 1
  const parameters = of?.buttons.find(({ parameters: { act: one } }) => one === act)?.parameters ?? { act }
  return {
    type: 'CARD_CLICKED',
    eventTime: `2026-11-26T10:00:00.${String(made).padStart(6, '0')}Z`,
    message: {
      name: of?.name ?? 'spaces/AAAhelp/messages/x.x',
      sender: { name: 'users/app', type: 'BOT' },
      ...(thread !== undefined && { thread: { name: thread } }),
    },
    user: ADA,
    space,
    action: { actionMethodName: 'citewell', parameters: [] },
    common: { userLocale: 'en', hostApp: 'CHAT', invokedFunction: 'citewell', parameters },
  }
}

type Pressed = ReturnType<typeof googleChatPressed>

export const pressedInAddOn = ({ message, user, space, eventTime, common }: Pressed) => ({
  commonEventObject: { hostApp: 'CHAT', parameters: common.parameters },
  chat: { user, eventTime, buttonClickedPayload: { message, space } },
})
