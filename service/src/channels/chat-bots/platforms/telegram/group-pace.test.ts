import { expect, test } from 'vitest'
import type { BotAccount } from '../../chat-platform.ts'
import { postToTelegram } from './post-telegram.ts'

const account = {
  credentials: { bot_token: '31:AAF-stand_in_token_of_35_characters' },
  config: {},
  fetchOutbound: () =>
    Promise.resolve({
      status: 200,
      text: () => Promise.resolve('{"ok":true,"result":{"message_id":1}}'),
    }),
  signal: new AbortController().signal,
} as unknown as BotAccount

const outcomes = async (chat: string, times: number) => {
  const all: string[] = []
  for (let at = 0; at < times; at += 1)
    all.push((await postToTelegram({ chat_id: chat, message: {}, as_new: {} }, account)).is)
  return all
}

test('a group gets twenty messages a minute of a bot, and what is more waits; a chat with the bot alone has no such limit', async () => {
  const twenty = Array.from({ length: 20 }, () => 'posted')
  expect(await outcomes('-1001', 22)).toEqual([...twenty, 'wait', 'wait'])
  expect(await outcomes('-1002', 1)).toEqual(['posted'])
  expect(await outcomes('501', 22)).toEqual([...twenty, 'posted', 'posted'])
})
