import type { Page } from 'playwright-core'
import {
  FAKE_CAPTCHA_SITE_KEY,
  type FakeCaptcha,
  type FakeCaptchaProvider,
} from '../../service/test/fake-captcha.ts'

/** What the three providers have in common here: each refuses what its documentation does not allow, by an error in the page. */
const STRICT = `
  const must = (holds, what) => { if (!holds) { const fault = new Error('stand-in: ' + what); reportError(fault); throw fault } }
  const press = (place, done) => {
    const button = document.createElement('button')
    button.textContent = 'I am a person'
    button.type = 'button'
    button.style.cssText = 'min-height:44px'
    button.addEventListener('click', (event) => event.isTrusted && done())
    place.append(button)
  }
  const isHere = (place) => place instanceof HTMLElement && place.isConnected && place.getRootNode() === document`

const SCRIPTS: Record<FakeCaptchaProvider, { address: string; source: string }> = {
  recaptcha: {
    address: `https://www.google.com/recaptcha/api.js?render=${FAKE_CAPTCHA_SITE_KEY}`,
    // It is not ready when it has loaded, and returns what can only be waited for.
    source: `(() => {${STRICT}
      let isReady = false
      setTimeout(() => (isReady = true), 200)
      globalThis.grecaptcha = {
        ready: (run) => { const wait = () => (isReady ? run() : setTimeout(wait, 20)); wait() },
        execute(siteKey, { action }) {
          must(this === globalThis.grecaptcha && isReady, 'execute before ready')
          must(siteKey === '${FAKE_CAPTCHA_SITE_KEY}' && /^[A-Za-z_/]+$/.test(action), 'site key and action')
          return { then: (done, failed) => void mintToken({ action }).then(done, failed) }
        },
      }
    })()`,
  },
  hcaptcha: {
    address: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
    // It defines itself a moment after it has loaded; its challenge has to be pressed.
    source: `(() => {${STRICT}
      const shown = new Map()
      setTimeout(() => (globalThis.hcaptcha = {
        render(place, options) {
          must(isHere(place) && options.sitekey === '${FAKE_CAPTCHA_SITE_KEY}' && options.size === 'invisible', 'render')
          const container = document.getElementById(options['challenge-container'])
          must(isHere(container), 'challenge-container')
          const id = String(Math.random())
          shown.set(id, container)
          return id
        },
        execute: (id, options) => new Promise((resolve) => {
          must(shown.has(id) && options.async === true, 'execute')
          press(shown.get(id), async () => resolve({ response: await mintToken({}), key: 'k' }))
        }),
        remove: (id) => must(shown.delete(id), 'remove'),
      }), 150)
    })()`,
  },
  turnstile: {
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    source: `(() => {${STRICT}
      const shown = new Set()
      globalThis.turnstile = {
        render(place, options) {
          must(isHere(place) && options.sitekey === '${FAKE_CAPTCHA_SITE_KEY}', 'render')
          must(/^[a-z0-9_-]{1,32}$/i.test(options.action) && options.appearance === 'interaction-only', 'options')
          must(typeof options.callback === 'function' && typeof options['error-callback'] === 'function', 'callbacks')
          const id = String(Math.random())
          shown.add(id)
          press(place, async () => options.callback(await mintToken({ action: options.action })))
          return id
        },
        remove: (id) => must(shown.delete(id), 'remove'),
      }
    })()`,
  },
}

/** The host that a page has to allow for a provider. */
export const hostOf = (provider: FakeCaptchaProvider): string => new URL(SCRIPTS[provider].address).origin

/**
 * Serves the script of a provider in a page, in place of the provider: at the documented address, and at no other. Returns the
 * addresses that the page asked for.
 */
export async function serveCaptchaScript(
  page: Page,
  provider: FakeCaptchaProvider,
  verifier: FakeCaptcha,
): Promise<string[]> {
  const { address, source } = SCRIPTS[provider]
  const asked: string[] = []
  await page.exposeFunction('mintToken', (given: { action?: string }) => verifier.mint(given))
  await page.route(
    (url) => url.origin === hostOf(provider),
    async (route) => {
      const url = route.request().url()
      asked.push(url)
      if (url === address) await route.fulfill({ contentType: 'text/javascript', body: source })
      else await route.fulfill({ status: 404 })
    },
  )
  return asked
}
