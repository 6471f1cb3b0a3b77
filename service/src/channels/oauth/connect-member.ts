import { Refusal } from '../../kernel/refusal.ts'
import { readForm, readFormLists, showPage, type Page } from '../../platform/http/form-pages.ts'
import {
  isOwnForm,
  notFromHere,
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
import { chosenIn } from './base-choice.ts'
import { memberConsentPage } from './member-consent-page.ts'
import type { Interaction } from './open-interaction.ts'

export interface MemberConsentDeps {
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: Pick<ConnectedTools, 'basesOf' | 'checkChoice'>
}

/** Consent of members, at internal servers and the portal: with their account here, asked for anew each time. */
export function createMemberConsent({ browserSessions, connectedTools }: MemberConsentDeps) {
  /** The way to the sign-in page, and back to this one. */
  const toSignIn = (context: Page, { interaction }: Interaction) =>
    context.redirect(signInAddress(`/connect/${interaction.uid}`), 303)

  /** What may be connected; throws FORBIDDEN for somebody who may not chat there. */
  async function offered(member: SignedInMember, { server }: Interaction): Promise<OfferedBase[]> {
    const bases = await connectedTools.basesOf(member.userId)
    const ofServer =
      server.knowledgeBaseId === undefined ? bases : bases.filter(({ id }) => id === server.knowledgeBaseId)
    if (ofServer.length === 0) {
      const what = server.knowledgeBaseId === undefined ? 'any knowledge base' : 'this knowledge base'
      throw new Refusal('FORBIDDEN', {
        because: `You are signed in as ${member.email}, who may not chat in ${what}. An owner or admin of the workspace can change that.`,
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
   * What the form says: an answer of its own where the person has to do something first.
   *
   * @throws Refusal FORBIDDEN for a form that this person was not shown
   */
  async function decide(
    context: Page,
    shown: Interaction,
  ): Promise<Response | 'denied' | { accountId: string; sessionId: string; chosen: ChosenBases }> {
    const member = await browserSessions.personOf(context)
    if (member === undefined) return toSignIn(context, shown)
    const form = await readForm(context)
    if (!isOwnForm(context, member, form)) throw notFromHere()
    if (form['decision'] !== 'allow') return 'denied'
    const { sessionId } = member
    const accountId = accountOfMember(member.userId)
    await offered(member, shown)
    if (shown.server.signInType !== 'portal') {
      return { accountId, sessionId, chosen: { readsAll: false, knowledgeBaseIds: [] } }
    }
    try {
      return {
        accountId,
        sessionId,
        chosen: await connectedTools.checkChoice(member.userId, chosenIn(await readFormLists(context))),
      }
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.code !== 'BAD_REQUEST') throw fault
      return await page(context, shown, member, fault.message)
    }
  }

  return { show, decide }
}
