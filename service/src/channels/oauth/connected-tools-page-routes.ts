import type { Hono } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import { PLAIN_PAGE_HEADERS, type Markup } from '../../platform/http/plain-page.ts'
import { isOwnForm, signInAddress, type BrowserSessions, type SignedInMember } from '../sign-in/sign-in.ts'
import { chosenIn } from './chosen-in.ts'
import { chooseBasesPage, connectedToolsFaultPage, connectedToolsPage } from './connected-tools-pages.ts'
import type { ConnectedTools } from './connected-tools.ts'
import type { Page } from './open-interaction.ts'

export interface ConnectedToolsPageDeps {
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: ConnectedTools
}

const PATH = '/account/connected-tools'

/** Tools shown at once; whoever has more reads the rest by the API. */
const SHOWN = 200

const ownerOf = ({ userId }: SignedInMember) => ({ userId, tokenId: null })

/** The pages on which a member sees which tools they have connected, takes them back, and changes what they read. */
export function createConnectedToolsPages({ browserSessions, connectedTools }: ConnectedToolsPageDeps) {
  const show = (context: Page, markup: Markup, status: 200 | 400 | 403 | 404 = 200) =>
    context.html(markup, status, PLAIN_PAGE_HEADERS)

  /** For somebody who is signed in; others are shown where to do that. What goes wrong is told on a page. */
  const asMember =
    (serve: (context: Page, member: SignedInMember) => Promise<Response>) =>
    async (context: Page): Promise<Response> => {
      const member = await browserSessions.personOf(context)
      if (member === undefined) return context.redirect(signInAddress(PATH), 303)
      try {
        return await serve(context, member)
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault
        const status = fault.code === 'NOT_FOUND' ? 404 : fault.code === 'FORBIDDEN' ? 403 : 400
        return show(context, connectedToolsFaultPage(fault.message), status)
      }
    }

  const idOf = (context: Page): string => {
    const id = context.req.param('id') ?? ''
    if (!isUuid(id)) throw new Refusal('NOT_FOUND', { because: 'There is no such connected tool.' })
    return id
  }

  async function ownForm(context: Page, member: SignedInMember): Promise<Record<string, unknown>> {
    const body = await context.req.parseBody({ all: true })
    if (!isOwnForm(context, member, body)) {
      throw new Refusal('FORBIDDEN', { because: 'This form is not from this page.' })
    }
    return body
  }

  async function list(context: Page, { userId, email, csrf }: SignedInMember) {
    const [tools, bases] = await Promise.all([
      connectedTools.list(userId, { after: undefined, limit: SHOWN }),
      connectedTools.basesOf(userId),
    ])
    return show(context, connectedToolsPage(tools, { csrf, email, bases }))
  }

  async function choices(context: Page, { userId, csrf }: SignedInMember, fault?: string) {
    const tool = await connectedTools.get(userId, idOf(context))
    const bases = await connectedTools.basesOf(userId)
    return show(context, chooseBasesPage(tool, { csrf, bases, fault }), fault === undefined ? 200 : 400)
  }

  async function choose(context: Page, member: SignedInMember) {
    const body = await ownForm(context, member)
    try {
      await connectedTools.choose(ownerOf(member), idOf(context), chosenIn(body))
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.code !== 'BAD_REQUEST') throw fault
      return await choices(context, member, fault.message)
    }
    return context.redirect(PATH, 303)
  }

  async function disconnect(context: Page, member: SignedInMember) {
    await ownForm(context, member)
    await connectedTools.remove(ownerOf(member), idOf(context))
    return context.redirect(PATH, 303)
  }

  return (app: Hono<HttpEnv>): void => {
    app.get(PATH, asMember(list))
    app.get(
      `${PATH}/:id`,
      asMember((context, member) => choices(context, member)),
    )
    app.post(`${PATH}/:id`, limitForm, asMember(choose))
    app.post(`${PATH}/:id/disconnect`, limitForm, asMember(disconnect))
  }
}
