import { Refusal } from '../../kernel/refusal.ts'
import { readForm, readFormLists, showPage, type Page } from '../../platform/http/form-pages.ts'
import {
  isCsrfValid,
  csrfRefusal,
  signInAddress,
  type BrowserSessions,
  type SignedInMember,
} from '../sign-in/sign-in.ts'
import {
  accountOfMember,
  type ChosenBases,
  type ConnectedTools,
  type OfferedBase,
} from './connected-tools.ts'
import { readChosenBases } from './base-choice-fields.ts'
import { memberConsentPage } from './member-consent-page.ts'
import type { Interaction } from './open-interaction.ts'

export interface MemberConsentDeps {
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: Pick<ConnectedTools, 'basesOf' | 'checkChoice'>
}

/** Consent of members, at internal servers and the portal: with their account, and again for each connection. */
export function createMemberConsent({ browserSessions, connectedTools }: MemberConsentDeps) {
  /** Redirects to the sign-in page, and then back to this one. */
  const toSignIn = (context: Page, { interaction }: Interaction) =>
    context.redirect(signInAddress(`/connect/${interaction.uid}`), 303)

  /** The bases that may be connected; throws FORBIDDEN for a member who may not chat there. */
  async function offered(member: SignedInMember, { server }: Interaction): Promise<OfferedBase[]> {
    const bases = await connectedTools.basesOf(member.userId)
    const ofServer =
      server.knowledgeBaseId === undefined ? bases : bases.filter(({ id }) => id === server.knowledgeBaseId)
    if (ofServer.length === 0) {
      const what = server.knowledgeBaseId === undefined ? 'any knowledge base' : 'this knowledge base'
      throw new Refusal('FORBIDDEN', {
        because: `You are signed in as ${member.email}, and this account may not chat in ${what}. Ask an owner or admin of the workspace for access.`,
      })
    }
    return ofServer
  }

  async function page(context: Page, shown: Interaction, member: SignedInMember, fault?: string) {
    const bases = await offered(member, shown)
    const { server, clientName, namedBy, redirectHost, isLoopback } = shown
    const markup = memberConsentPage({
      clientName,
      namedBy,
      redirectHost,
      isLoopback,
      serverName: server.serverName,
      email: member.email,
      csrf: member.csrf,
      reads: server.signInType === 'portal' ? { choiceOf: bases } : { base: bases[0]?.name ?? '' },
      fault,
    })
    return await showPage(context, markup, fault === undefined ? 200 : 400)
  }

  async function show(context: Page, shown: Interaction): Promise<Response> {
    const member = await browserSessions.personOf(context)
    return member === undefined ? toSignIn(context, shown) : await page(context, shown, member)
  }

  /**
   * Handles the form; returns a response if the member has to do something first.
   *
   * @throws Refusal FORBIDDEN if the CSRF check fails
   */
  async function decide(
    context: Page,
    shown: Interaction,
  ): Promise<Response | 'denied' | { accountId: string; sessionId: string; chosen: ChosenBases }> {
    const member = await browserSessions.personOf(context)
    if (member === undefined) return toSignIn(context, shown)
    const form = await readForm(context)
    if (!isCsrfValid(context, member, form)) throw csrfRefusal()
    if (form['decision'] !== 'allow') return 'denied'
    const { sessionId } = member
    const accountId = accountOfMember(member.userId)
    await offered(member, shown)
    if (shown.server.signInType !== 'portal')
      return { accountId, sessionId, chosen: { readsAll: false, knowledgeBaseIds: [] } }
    try {
      return {
        accountId,
        sessionId,
        chosen: await connectedTools.checkChoice(
          member.userId,
          readChosenBases(await readFormLists(context)),
        ),
      }
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.code !== 'BAD_REQUEST') throw fault
      return await page(context, shown, member, fault.message)
    }
  }

  return { show, decide }
}
