import { longUnless } from '@citewell/spec/long-unless'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  FAKE_CAPTCHA_SECRET,
  FAKE_CAPTCHA_SITE_KEY,
  startFakeCaptcha,
  type FakeCaptcha,
} from '../../service/test/fake-captcha.ts'
import { hostOf, serveCaptchaScript } from './captcha-scripts.ts'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPanel } from './open-browser.ts'
import { startWidgetWorld, type WidgetWorld } from './widget-world.ts'

let browser: Browser
let cleanPage: () => Promise<Page>

beforeAll(async () => {
  browser = await openChromium()
  cleanPage = keepPage(browser)
})
afterAll(async () => {
  await browser.close()
})

const turn = (page: Page) => page.locator('.turn').last()

/** A page with a support form, and the element that offers an answer to it. */
function formPage(world: WidgetWorld, headers: Record<string, string>): string {
  world.pages.set(
    '/support',
    `<!doctype html><html lang="en"><title>Support</title><link rel="icon" href="data:,">
    <script type="module" src="${world.service.origin}/widget/form.js"></script>
    <form id="ticket" action="/sent"><textarea name="description" aria-label="Description"></textarea><button>Send</button></form>
    <citewell-form for="#ticket" body="[name=description]" knowledge-base-id="${world.base.id}"></citewell-form></html>`,
    headers,
  )
  world.pages.set('/sent', '<!doctype html><title>Sent</title><h1>Sent</h1>')
  return `${world.pages.origin}/support`
}

const tokens = (world: WidgetWorld) =>
  world.service.seen
    .filter(({ method }) => method === 'POST')
    .map(({ path, headers }) => [path.split('/').at(-1), String(headers['x-captcha-token'] ?? '')] as const)

describe('the proof of work of the service itself', () => {
  let world: WidgetWorld

  beforeAll(async () => {
    world = await startWidgetWorld('proof of work')
  })
  afterAll(async () => {
    await world.stop()
  })

  test('it begins when the reader is about to ask; each question, search and rating has a token of its own', async () => {
    const page = await cleanPage()
    const said = listenToPage(page)
    const { origin } = world.service
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`
    await openPanel(
      page,
      world.page({ 'knowledge-base-id': world.base.id }, { headers: { 'content-security-policy': policy } }),
    )
    const challenges = () =>
      world.service.seen.filter(({ method, path }) => method === 'GET' && path.includes('captcha-challenge'))
    await expect.poll(() => challenges().length, { timeout: 30_000 }).toBe(1)
    expect(tokens(world)).toEqual([])
    await ask(page, 'When are keys rotated?')
    await ask(page, 'And by hand?')
    await turn(page).getByRole('button', { name: 'Good answer' }).click()
    await page.locator('.comment').waitFor()
    await page.getByRole('tab', { name: 'Search' }).click()
    await page.locator('.search-field input').fill('rotate')
    await page.locator('.result').nth(1).waitFor({ timeout: 30_000 })
    await expect
      .poll(() =>
        tokens(world)
          .map(([path]) => String(path))
          .toSorted(),
      )
      .toEqual(['chat', 'chat', 'feedback', 'search'])
    const sent = tokens(world).map(([, token]) => token)
    for (const token of sent) expect(token.length).toBeGreaterThan(100)
    expect(new Set(sent).size).toBe(4)
    expect(said.filter((line) => !line.includes('documentation-page.css'))).toEqual([])
  })

  test('the support form sends a token as well', async () => {
    const page = await cleanPage()
    world.service.seen.length = 0
    await page.goto(formPage(world, {}))
    await page.locator('textarea').fill('When are the signing keys rotated?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Does this answer your question?' }).waitFor({ timeout: 30_000 })
    expect(tokens(world)).toEqual([['form-deflect', expect.stringMatching(/.{100}/)]])
  })
})

for (const provider of ['recaptcha', 'hcaptcha', 'turnstile'] as const)
  describe(`with ${provider}`, longUnless(provider === 'turnstile'), () => {
    let world: WidgetWorld
    let verifier: FakeCaptcha
    const isPressed = provider !== 'recaptcha'

    beforeAll(async () => {
      verifier = await startFakeCaptcha(provider)
      world = await startWidgetWorld({
        CITEWELL_CAPTCHA_PROVIDER: provider,
        CITEWELL_CAPTCHA_SITE_KEY: FAKE_CAPTCHA_SITE_KEY,
        CITEWELL_CAPTCHA_SECRET: FAKE_CAPTCHA_SECRET,
        CITEWELL_CAPTCHA_VERIFY_URL: verifier.verifyUrl,
      })
    })
    afterAll(async () => {
      await world.stop()
      await verifier[Symbol.asyncDispose]()
    })

    const policy = (trustedTypes: string) => ({
      'content-security-policy': `default-src 'none'; script-src ${world.service.origin} ${hostOf(provider)}; connect-src ${world.service.origin}; style-src 'unsafe-inline'; img-src data:; require-trusted-types-for 'script'; trusted-types ${trustedTypes}`,
    })
    /** Presses the challenge where the provider shows one. A real press: a modal dialog would keep it from what is outside. */
    const passCheck = async (page: Page) => {
      if (isPressed) await page.getByRole('button', { name: 'I am a person' }).click()
    }

    test('its script comes with the first question, under a policy that allows it; questions, searches and ratings pass', async () => {
      const page = await cleanPage()
      const said = listenToPage(page)
      const asked = await serveCaptchaScript(page, provider, verifier)
      await openPanel(
        page,
        world.page({ 'knowledge-base-id': world.base.id }, { headers: policy('citewell') }),
      )
      await page.locator('.suggested li').first().waitFor()
      expect(asked).toEqual([])
      await page.getByRole('button', { name: 'When are keys rotated?' }).click()
      await passCheck(page)
      await turn(page).locator('.actions').waitFor({ timeout: 30_000 })
      expect(await turn(page).locator('.answer').innerText()).toContain('Keys are rotated every day')
      await turn(page).getByRole('button', { name: 'Good answer' }).click()
      await passCheck(page)
      await page.getByRole('tab', { name: 'Search' }).click()
      await page.locator('.search-field input').fill('rotate')
      await passCheck(page)
      await page.locator('.result').nth(1).waitFor({ timeout: 30_000 })
      expect(asked).toHaveLength(1)
      expect(verifier.asked).toHaveLength(3)
      expect(await page.getByRole('button', { name: 'I am a person' }).count()).toBe(0)
      expect(said.filter((line) => !line.includes('documentation-page.css'))).toEqual([])
    })

    test.runIf(isPressed)('a question that is stopped takes its challenge with it', async () => {
      const page = await cleanPage()
      await serveCaptchaScript(page, provider, verifier)
      await openPanel(page, world.page({ 'knowledge-base-id': world.base.id }))
      await page.locator('.composer textarea').fill('When are keys rotated?')
      await page.keyboard.press('Enter')
      const challenge = page.getByRole('button', { name: 'I am a person' })
      await challenge.waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await challenge.waitFor({ state: 'detached' })
      expect(await turn(page).locator('.stopped').count()).toBe(1)
    })

    test('where the page does not allow its script, the reader is told, and may try again', async () => {
      const page = await cleanPage()
      await serveCaptchaScript(page, provider, verifier)
      await openPanel(page, world.page({ 'knowledge-base-id': world.base.id }, { headers: policy("'none'") }))
      await ask(page, 'When are keys rotated?')
      expect(await turn(page).locator('.failure').innerText()).toContain(
        'The check that you are not a robot did not pass.',
      )
      expect(await turn(page).getByRole('button', { name: 'Try again' }).isEnabled()).toBe(true)
    })

    test('the support form passes the check; where it cannot, the form is sent without an answer', async () => {
      const page = await cleanPage()
      const asked = await serveCaptchaScript(page, provider, verifier)
      await page.goto(formPage(world, policy('citewell')))
      const send = async () => {
        await page.locator('textarea').fill('When are the signing keys rotated?')
        await page.getByRole('button', { name: 'Send', exact: true }).click()
      }
      await send()
      await passCheck(page)
      await page.getByRole('region', { name: 'Does this answer your question?' }).waitFor({ timeout: 30_000 })
      expect(asked).toHaveLength(1)
      await page.goto(formPage(world, policy("'none'")))
      await send()
      await page.waitForURL(/\/sent\?description=When/)
    })
  })
