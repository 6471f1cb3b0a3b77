import { expect, test } from 'vitest'
import { BOT_PLATFORMS } from './platform-fields.ts'
import { platformValuesOf } from './platform-values.ts'

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
})
