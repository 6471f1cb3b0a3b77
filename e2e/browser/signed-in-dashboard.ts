import { type Browser, type BrowserContext, type Page } from 'playwright-core'
import { newDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'
import { openChromium } from '../open-chromium.ts'

export const PASSWORD = 'Zk9-vTq4-mLp2-wRx7'

/** The dashboard of a Citewell of its own, in a browser in which its owner is signed in. */
export interface SignedInDashboard extends AsyncDisposable {
  citewell: RunningCitewell
  browser: Browser
  context: BrowserContext
  page: Page
  /** The owner's. */
  email: string
  workspaceId: string
  /** What pages complained of: their console, errors that nobody caught, reports of the content security policy. */
  complaints: string[]
  /** Opens an address of the service. */
  open: (path: string, page?: Page) => Promise<void>
  /** Signs a browser in as this person, through a link that sets their password. */
  signIn: (email: string, page?: Page) => Promise<void>
  /** Signs in on the sign-in page, as somebody who has a password. */
  signInAgain: (email: string, page: Page) => Promise<void>
}

export async function openSignedInDashboard(
  settings: Record<string, string> = {},
): Promise<SignedInDashboard> {
  const citewell = await startCitewell({ CITEWELL_DATA_DIR: newDataDirectory(), ...settings })
  const browser = await openChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  context.on('page', (opened) => {
    opened.setDefaultTimeout(60_000)
    opened.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) complaints.push(message.text())
    })
    opened.on('pageerror', (fault) => complaints.push(String(fault)))
  })
  const first = await context.newPage()
  const { user, workspaces } = await citewell.json<{ user: { email: string }; workspaces: { id: string }[] }>(
    'GET',
    '/api/v1/me',
  )

  const open = async (path: string, page = first) => {
    await page.goto(new URL(path, citewell.address).href)
  }
  async function signIn(email: string, page = first): Promise<void> {
    const { url } = await citewell.json<{ url: string }>('POST', '/api/v1/password-links', { email })
    await page.goto(url)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.getByRole('button').last().click()
    await page.waitForURL(/\/account/)
  }
  async function signInAgain(email: string, page: Page): Promise<void> {
    await open('/sign-in?to=/me', page)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your settings' }).waitFor()
  }

  await signIn(user.email)
  return {
    citewell,
    browser,
    context,
    page: first,
    email: user.email,
    workspaceId: workspaces[0]?.id ?? '',
    complaints,
    open,
    signIn,
    signInAgain,
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await citewell.stop()
    },
  }
}
