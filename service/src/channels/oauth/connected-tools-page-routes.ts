import type { Hono } from 'hono'
import { isUuid } from '../../kernel/ids.ts'
import {
  asPage,
  runFormAction,
  readForm,
  readFormLists,
  showPage,
  type Page,
} from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import {
  isCsrfValid,
  csrfRefusal,
  signInAddress,
  type BrowserSessions,
  type SignedInMember,
} from '../sign-in/sign-in.ts'
import { readChosenBases } from './base-choice-fields.ts'
import { chooseBasesPage, connectedToolsFaultPage, connectedToolsPage } from './connected-tools-pages.ts'
import { connectedToolNotFound, type ConnectedTools } from './connected-tools.ts'

export interface ConnectedToolsPageDeps {
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: ConnectedTools
}

const PATH = '/account/connected-tools'

/** Tools shown on the page; the API lists all of them. */
const MAX_TOOLS_SHOWN = 200

const ownerOf = ({ userId }: SignedInMember) => ({ userId, tokenId: null })

/** The pages on which members see the tools they have connected, disconnect them, and change what they read. */
export function createConnectedToolsPages({ browserSessions, connectedTools }: ConnectedToolsPageDeps) {
  /** Wraps a handler for signed-in members; others are redirected to the sign-in page. Refusals are shown on a page. */
  const asMember = (serve: (context: Page, member: SignedInMember) => Promise<Response>) =>
    asPage(async (context) => {
      const member = await browserSessions.personOf(context)
      if (member === undefined) return context.redirect(signInAddress(PATH), 303)
      return await serve(context, member)
    }, connectedToolsFaultPage)

  const idOf = (context: Page): string => {
    const id = context.req.param('id') ?? ''
    if (!isUuid(id)) throw connectedToolNotFound()
    return id
  }

  /** @throws Refusal FORBIDDEN if the CSRF check fails */
  async function checkForm(context: Page, member: SignedInMember): Promise<void> {
    if (!isCsrfValid(context, member, await readForm(context))) throw csrfRefusal()
  }

  async function list(context: Page, { userId, email, csrf }: SignedInMember) {
    const [tools, bases] = await Promise.all([
      connectedTools.list(userId, { after: undefined, limit: MAX_TOOLS_SHOWN }),
      connectedTools.basesOf(userId),
    ])
    return await showPage(context, connectedToolsPage(tools, { csrf, email, bases }))
  }

  async function choices(context: Page, { userId, csrf }: SignedInMember, fault?: string) {
    const tool = await connectedTools.get(userId, idOf(context))
    return chooseBasesPage(tool, { csrf, bases: await connectedTools.basesOf(userId), fault })
  }

  async function choose(context: Page, member: SignedInMember) {
    await checkForm(context, member)
    const chosen = readChosenBases(await readFormLists(context))
    return await runFormAction(
      context,
      (because) => choices(context, member, because),
      async () => {
        await connectedTools.choose(ownerOf(member), idOf(context), chosen)
        return context.redirect(PATH, 303)
      },
    )
  }

  async function disconnect(context: Page, member: SignedInMember) {
    await checkForm(context, member)
    await connectedTools.remove(ownerOf(member), idOf(context))
    return context.redirect(PATH, 303)
  }

  return (app: Hono<HttpEnv>): void => {
    app.get(PATH, asMember(list))
    app.get(
      `${PATH}/:id`,
      asMember(async (context, member) => await showPage(context, await choices(context, member))),
    )
    app.post(`${PATH}/:id`, limitForm, asMember(choose))
    app.post(`${PATH}/:id/disconnect`, limitForm, asMember(disconnect))
  }
}
