import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openChromium } from '../open-chromium.ts'
import { requestsTo } from '../run-citewell.ts'
import { openSharedCitewell, type SharedCitewell } from '../shared-citewell.ts'

export const PASSWORD = 'Zk9-vTq4-mLp2-wRx7'

/** The e-mail address of somebody whom no service knows yet: workspaces of one service have their people in common. */
const newAddress = (name: string) => `${name}@${randomBytes(4).toString('hex')}.example`

/** The dashboard of a Citewell, in a browser in which the owner of a workspace is signed in. */
export interface SignedInDashboard extends AsyncDisposable {
  /** Its requests are the owner's. */
  citewell: SharedCitewell
  /** Sends requests as who operates the service. */
  asOperator: SharedCitewell['json']
  browser: Browser
  context: BrowserContext
  page: Page
  /** The owner's. */
  email: string
  newAddress: (name: string) => string
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

/** Sets the password that the page behind a link asks for, which signs the browser in. */
async function followLink(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page
    .locator('form', { has: page.locator('input[type=password]') })
    .getByRole('button')
    .click()
  await page.waitForURL(/\/account/)
}

/** Makes an access token of who is signed in in this browser. */
async function makeToken({ request }: BrowserContext, address: string): Promise<string> {
  const read = await request.get(`${address}/api/v1/me`)
  const { session } = (await read.json()) as { session: { csrf: string } }
  const made = await request.post(`${address}/api/v1/access-tokens`, {
    headers: { origin: address, 'sec-fetch-site': 'same-origin', 'x-citewell-csrf': session.csrf },
    data: { name: 'Tests', scopes: ['read', 'config', 'admin'] },
  })
  if (!made.ok()) throw new Error(`${made.status()} ${await made.text()}`)
  return ((await made.json()) as { token: string }).token
}

/** That of a workspace of its own, in the Citewell that tests share. Its owner does not operate it. */
export async function openSharedDashboard(): Promise<SignedInDashboard> {
  const shared = await openSharedCitewell()
  const { invitation } = await shared.json<{ invitation: { url: string } }>('POST', '/api/v1/workspaces', {
    name: 'Acme',
    plan: 'enterprise',
    owner_email: newAddress('owner'),
  })
  return await openDashboard(shared, invitation.url)
}

/**
 * That of a Citewell.
 *
 * @param link - of an invitation, for the person who signs in with it; without one its first owner does, who also operates it
 */
export async function openDashboard(shared: SharedCitewell, link?: string): Promise<SignedInDashboard> {
  const { address, json: asOperator } = shared
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

  const open = async (path: string, page = first) => {
    await page.goto(new URL(path, address).href)
  }
  async function signIn(email: string, page = first): Promise<void> {
    const { url } = await asOperator<{ url: string }>('POST', '/api/v1/password-links', { email })
    await followLink(page, url)
  }
  async function signInAgain(email: string, page: Page): Promise<void> {
    await open('/sign-in?to=/me', page)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your settings' }).waitFor()
  }

  let token = shared.token
  if (link !== undefined) {
    await followLink(first, link)
    token = await makeToken(context, address)
  }
  const citewell: SharedCitewell = { ...shared, token, json: requestsTo(address, token) }
  const { user, workspaces } = await citewell.json<{ user: { email: string }; workspaces: { id: string }[] }>(
    'GET',
    '/api/v1/me',
  )
  if (link === undefined) await signIn(user.email)
  return {
    citewell,
    asOperator,
    browser,
    context,
    page: first,
    email: user.email,
    newAddress,
    workspaceId: workspaces[0]?.id ?? '',
    complaints,
    open,
    signIn,
    signInAgain,
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await shared.stop()
    },
  }
}
