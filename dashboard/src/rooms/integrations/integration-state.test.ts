import { expect, test } from 'vitest'
import { BOT_PLATFORMS } from './bot-platforms.ts'
import { integrationState, missingOf } from './integration-state.ts'
import { HELPDESK_PLATFORMS } from './platform-fields.ts'

const made = { enabled: true, config: {}, has_credentials: false, problem: null }
const stored = { ...made, has_credentials: true }

test('one that is switched on and has no credentials is not connected, and says what to add', () => {
  const { fields } = BOT_PLATFORMS.slack
  expect(integrationState(made, { missing: missingOf(made, fields, undefined) })).toEqual({
    tone: 'warn',
    words: 'Not connected yet: add “Bot token” and “Signing secret”',
  })
  expect(
    integrationState(stored, {
      missing: missingOf(stored, fields, new Set(['signing_secret', 'app_token'])),
    }),
  ).toEqual({
    tone: 'warn',
    words: 'Not connected yet: add “Signing secret”',
  })
  expect(integrationState(stored, { missing: missingOf(stored, fields, new Set()) })).toEqual({
    tone: 'ok',
    words: 'On',
  })
})

test('settings without which it cannot work are missing too, those with a usual value are not', () => {
  const { fields } = HELPDESK_PLATFORMS.request_tracker
  expect(missingOf(stored, fields, new Set())).toEqual([
    'Address of your Request Tracker',
    'User that answers',
  ])
  const config = { api_url: 'https://rt.example.com', username: 'citewell' }
  expect(missingOf({ ...stored, config }, fields, new Set())).toEqual([])
  expect(missingOf({ ...stored, config: { ...config, username: null } }, fields, new Set())).toEqual([
    'User that answers',
  ])
})

test('what is switched off, fails, or is driven by a program is never shown as connected', () => {
  const problem = { because: 'Slack refuses the token.', at: '2026-11-27T10:00:00.000Z' }
  expect(integrationState({ ...made, enabled: false }, { missing: ['Bot token'] }).words).toBe('Switched off')
  expect(integrationState({ ...stored, problem }, { missing: [] })).toEqual({
    tone: 'warn',
    words: 'Not working',
  })
  expect(integrationState(stored, { missing: [], isCertain: false })).toEqual({ tone: 'quiet', words: 'On' })
  expect(integrationState(made, {})).toEqual({ tone: 'quiet', words: 'On, for your own program' })
})
