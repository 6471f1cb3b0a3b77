import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { browserName } from './browser-name.ts'

let world: AccountWorld
beforeAll(async () => {
  world = await openAccountWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }

interface Listed {
  id: string
  browser: string | null
  is_current: boolean
  created_at: string
  last_seen_at: string
}

/** Signs in as a browser with this User-Agent does, through the page. Returns the headers of its requests. */
async function signInWith(email: string, userAgent: string) {
  const { browser } = await world.signIn(email, { browser: openScriptedBrowser({ userAgent }) })
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const me = await browser.request(world.within('/api/v1/me'), { headers: SAME_SITE })
  const { session } = (await me.json()) as { session: { csrf: string } }
  return { cookie, 'x-citewell-csrf': session.csrf, ...SAME_SITE }
}

const send = async (headers: Record<string, string>, id = '', method = 'GET') =>
  await world.citewell.service.fetch(
    new Request(world.within(`/api/v1/me/sessions${id === '' ? '' : `/${id}`}`), { method, headers }),
  )

const listed = async (headers: Record<string, string>) =>
  ((await (await send(headers)).json()) as { data: Listed[] }).data

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) CriOS/156.0 Safari/604.1'

verifies(
  'sign-in.own-sessions',
  'a person sees their browsers, which of them is this one, and signs another out at its next request',
  async () => {
    const { userId } = await world.join('grace@example.com')
    await world.citewell.rows(`delete from browser_sessions where user_id = '${userId}'`)
    const desk = await signInWith('grace@example.com', LINUX)
    const phone = await signInWith('grace@example.com', PHONE)

    const shown = await listed(desk)
    expect(shown).toMatchObject([
      { browser: 'Firefox on Linux', is_current: true },
      { browser: 'Chrome on iOS', is_current: false },
    ])
    const [own, other] = shown
    expect(Date.now() - Date.parse(own?.created_at ?? '')).toBeLessThan(600_000)
    expect(Date.parse(own?.last_seen_at ?? '')).toBeGreaterThanOrEqual(Date.parse(own?.created_at ?? ''))

    expect((await send(desk, other?.id, 'DELETE')).status).toBe(204)
    expect((await send(phone)).status).toBe(401)
    expect(await listed(desk)).toMatchObject([{ id: own?.id }])
    expect((await send(desk, other?.id, 'DELETE')).status).toBe(404)
    const log = await world.citewell.rows(
      `select actor_user_id from activity_log where action = 'member.session_ended'`,
    )
    expect(log).toEqual([{ actor_user_id: userId }])
    expect((await send(desk, own?.id, 'DELETE')).status).toBe(204)
    expect((await send(desk)).status).toBe(401)
  },
)

verifies(
  'sign-in.own-sessions',
  'the sessions of others, and those that have expired, are not there',
  async () => {
    const [ada, bob] = [await world.join('ada2@example.com'), await world.join('bob@example.com')]
    const browser = await signInWith('ada2@example.com', LINUX)
    const [theirs] = await world.citewell.rows(
      `select id from browser_sessions where user_id = '${bob.userId}'`,
    )
    expect((await send(browser, String(theirs?.['id']), 'DELETE')).status).toBe(404)
    await world.citewell.rows(
      `update browser_sessions set last_seen_at = now() - interval '13 hours' where user_id = '${ada.userId}' and browser is distinct from 'Firefox on Linux'`,
    )
    expect(await listed(browser)).toMatchObject([{ browser: 'Firefox on Linux', is_current: true }])
  },
)

test.each([
  [undefined, null],
  ['curl/8.14', null],
  ['<script>alert(1)</script>', null],
  ['x'.repeat(100_000), null],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) AppleWebKit/605.1 Version/26.0 Safari/605.1',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
])('of a User-Agent header only known words are kept', (header, name) => {
  expect(browserName(header)).toBe(name)
})
