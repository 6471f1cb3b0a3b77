import { afterAll, beforeAll, expect, test } from 'vitest'
import { GOOD_PASSWORD, openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'

let world: AccountWorld

beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const csrfOn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** Every page with a form, and valid values of its fields. */
const formsOf = (codes: { invitation: string; setUp: string; password: string }) => ({
  guest: [
    ['/sign-in', { email: 'nul@example.com', password: GOOD_PASSWORD, to: '/account' }],
    ['/sign-in/with', { provider: 'oidc', to: '/account' }],
    ['/set-password', { code: codes.password, password: GOOD_PASSWORD }],
    ['/invitation', { code: codes.invitation, password: GOOD_PASSWORD }],
    ['/invitation', { code: codes.invitation, provider: 'oidc' }],
    ['/invitation', { code: codes.invitation, access_token: 'cw_pat_x' }],
    ['/setup', { code: codes.setUp, email: 'owner@example.com', password: GOOD_PASSWORD }],
    ['/setup', { code: codes.setUp, provider: 'oidc' }],
  ] satisfies [string, Record<string, string>][],
  member: [
    ['/account/name', { name: 'Ada' }],
    ['/account/password', { present: GOOD_PASSWORD, password: 'another staircase 79' }],
    ['/account/link', { provider: 'oidc' }],
    ['/account/unlink', { issuer: 'https://id.example.com' }],
    ['/account/sign-out-everywhere', {}],
    ['/sign-out', {}],
  ] satisfies [string, Record<string, string>][],
})

const ADDRESSES = [
  '/sign-in?to=%00',
  '/sign-in?done=%00',
  '/sign-in/back/oidc?state=%00&code=%00',
  '/sign-in/back/%00',
  '/set-password?code=%00',
  '/invitation?code=%00',
  '/setup?code=%00',
  '/account?done=%00',
  '/account/connected-tools/%00',
  '/connect/%00',
  '/connect/%00/done',
  '/connect/back/oidc?state=%00',
]

test('a form with a NUL in a field is refused with a page that says so, before any lookup', async () => {
  const { browser: member, account } = await world.join('nul@example.com')
  const { link } = await world.invite('nul-invited@example.com')
  const { url } = await world.citewell.json<{ url: string }>('POST', '/api/v1/password-links', {
    email: 'nul@example.com',
  })
  const codeIn = (address: string) => new URL(address).searchParams.get('code') ?? ''
  const setUp = 'cw_setup_open'
  const me = await world.citewell.json<{ user: { id: string } }>('GET', '/api/v1/me')
  const created = new Date()
  await world.citewell.storage.db
    .insertInto('setup_codes')
    .values({
      code_hash: hashSecret(setUp),
      user_id: me.user.id,
      expires_at: new Date(created.getTime() + 60_000),
      created_at: created,
    })
    .execute()
  const forms = formsOf({ invitation: codeIn(link), setUp, password: codeIn(url) })
  const guest = openScriptedBrowser()
  const guestCsrf = csrfOn((await guest.go(world.within('/sign-in'), [])).html)

  const answers: string[] = []
  for (const [browser, csrf, pages] of [
    [guest, guestCsrf, forms.guest],
    [member, csrfOn(account.html), forms.member],
  ] as const) {
    for (const [path, fields] of pages) {
      for (const spoilt of [...Object.keys(fields), 'csrf', 'another\0field']) {
        const body = new URLSearchParams({ csrf, ...fields })
        body.set(spoilt, `${body.get(spoilt) ?? ''}\0b`)
        const multipart = new FormData()
        for (const [name, value] of body) multipart.set(name, value)
        for (const sent of [body, multipart]) {
          const response = await browser.request(world.within(path), { method: 'POST', body: sent })
          const type = response.headers.get('content-type')
          if (response.status !== 400 || type?.startsWith('text/html') !== true) {
            answers.push(`${path} ${spoilt} ${sent.constructor.name}: ${response.status} ${String(type)}`)
          }
        }
      }
    }
  }

  expect(answers).toEqual([])
})

test('a truncated form is refused with a page that says so', async () => {
  const answers = []
  for (const headers of [
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]) {
    const response = await openScriptedBrowser().request(world.within('/sign-in'), {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="em',
      headers,
    })
    answers.push([response.status, response.headers.get('content-type')])
  }
  const page = [400, 'text/html; charset=UTF-8']
  expect(answers).toEqual([page, page])
})

test('a NUL in the address of a page does not cause a server error', async () => {
  const { browser: member } = await world.join('nul-address@example.com')
  const answers: string[] = []
  for (const browser of [openScriptedBrowser(), member]) {
    for (const path of ADDRESSES) {
      const { status } = await browser.request(world.within(path))
      if (status >= 500) answers.push(`${path}: ${status}`)
    }
  }
  expect(answers).toEqual([])
})
