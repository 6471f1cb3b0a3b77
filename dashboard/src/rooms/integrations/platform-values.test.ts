import { expect, test } from 'vitest'
import { BOT_PLATFORMS } from './bot-platforms.ts'
import { HELPDESK_PLATFORMS } from './platform-fields.ts'
import { platformValuesOf } from './platform-values.ts'
import { shownValue, writePairs } from './read-pairs.ts'

const { fields } = BOT_PLATFORMS.slack
const formOf = (values: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

test('secrets and settings of a platform go where the service keeps them', () => {
  const form = formOf({
    'credentials.bot_token': ' xoxb-1 ',
    'credentials.signing_secret': 's',
    config: 'channel = help',
  })
  expect(platformValuesOf(form, fields)).toEqual({
    config: { channel: 'help' },
    credentials: { bot_token: 'xoxb-1', signing_secret: 's' },
  })
})

test('credentials that were left empty are kept, a setting that was taken away is sent as null', () => {
  const stored = { has_credentials: true, config: { channel: 'help', room: 'two' } }
  expect(platformValuesOf(formOf({ config: 'room = two' }), fields, stored)).toEqual({
    config: { channel: null, room: 'two' },
    credentials: undefined,
  })
})

test('one new secret without the others is refused, because it would replace them all', () => {
  const form = formOf({ 'credentials.bot_token': 'xoxb-2' })
  expect(() => platformValuesOf(form, fields, { has_credentials: true, config: {} })).toThrow(/every one/)
  expect(platformValuesOf(form, fields).credentials).toEqual({ bot_token: 'xoxb-2' })
  // The token of Socket Mode is for those who use it.
  form.set('credentials.signing_secret', 's')
  expect(platformValuesOf(form, fields, { has_credentials: true, config: {} }).credentials).toEqual({
    bot_token: 'xoxb-2',
    signing_secret: 's',
  })
})

test('settings that are no text, and that nobody touched, are sent as they are stored', () => {
  const actions = [{ name: 'refund', url: 'https://shop.example.com/refund' }]
  const agent = { has_credentials: true, config: { actions, retries: 3 } }
  const untouched = formOf({ config: writePairs(agent.config) })
  expect(platformValuesOf(untouched, [], agent).config).toEqual(agent.config)
  const edited = formOf({ config: writePairs(agent.config).replace('3', '4') })
  expect(platformValuesOf(edited, [], agent).config).toEqual({ actions, retries: '4' })

  const desk = { has_credentials: true, config: { quiet_seconds: 60 } }
  const form = formOf({ 'config.quiet_seconds': shownValue(desk.config.quiet_seconds) })
  expect(platformValuesOf(form, HELPDESK_PLATFORMS.zendesk.fields, desk).config).toEqual({
    quiet_seconds: 60,
  })
})
