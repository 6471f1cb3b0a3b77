import type { RunningCitewell } from '../run-citewell.ts'
import { openChromium } from '../open-chromium.ts'

const PASSWORD = 'Zk9-vTq4-mLp2-wRx7'

/** A browser in which the owner of a Citewell is signed in, by a password that a link sets. */
export async function openSignedInBrowser(citewell: RunningCitewell) {
  const browser = await openChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  /** What pages complained of: their console, errors that nobody caught, reports of the content security policy. */
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (fault) => complaints.push(String(fault)))
  const { user } = await citewell.json<{ user: { email: string } }>('GET', '/api/v1/me')
  const { url } = await citewell.json<{ url: string }>('POST', '/api/v1/password-links', {
    email: user.email,
  })
  await page.goto(url)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button').last().click()
  await page.waitForURL(/\/account/)
  return {
    page,
    complaints,
    open: async (path: string) => await page.goto(new URL(path, citewell.address).href),
    close: async () => await browser.close(),
  }
}
