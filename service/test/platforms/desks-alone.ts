import type { DeskAccount, HelpDesk } from '../../src/channels/help-desks/help-desk.ts'
import { CHATWOOT } from '../../src/channels/help-desks/desks/chatwoot/chatwoot.ts'
import { createFreshdeskDesk } from '../../src/channels/help-desks/desks/freshdesk/freshdesk.ts'
import { createFrontDesk } from '../../src/channels/help-desks/desks/front/front.ts'
import { createHelpscoutDesk } from '../../src/channels/help-desks/desks/helpscout/helpscout.ts'
import { createHubspotDesk } from '../../src/channels/help-desks/desks/hubspot/hubspot.ts'
import { INTERCOM } from '../../src/channels/help-desks/desks/intercom/intercom.ts'
import { createZammadDesk } from '../../src/channels/help-desks/desks/zammad/zammad.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { ACCOUNT, startChatwootStandIn } from './chatwoot-stand-in.ts'
import { startFreshdeskStandIn } from './freshdesk-stand-in.ts'
import { startFrontStandIn, US } from './front-stand-in.ts'
import { startHelpscoutStandIn } from './helpscout-stand-in.ts'
import { startHubspotStandIn, US as HUBSPOT_US } from './hubspot-stand-in.ts'
import { startIntercomStandIn } from './intercom-stand-in.ts'
import { startZammadStandIn } from './zammad-stand-in.ts'

interface DeskStandIn extends AsyncDisposable {
  origin: string
  credentials: Record<string, string>
}

/** A help desk with its stand-in, without the service around it. */
interface DeskAlone<StandIn extends DeskStandIn> extends AsyncDisposable {
  desk: HelpDesk
  standIn: StandIn
  /** The account of an integration with these settings. */
  account(config?: Record<string, unknown>): DeskAccount
}

const openerOf =
  <StandIn extends DeskStandIn>(
    desk: HelpDesk,
    start: () => Promise<StandIn>,
    needed: Record<string, unknown> = {},
  ) =>
  async (): Promise<DeskAlone<StandIn>> => {
    const standIn = await start()
    const outbound = createOutbound({ allowPrivateNetwork: true })
    return {
      desk,
      standIn,
      account: (config = {}) => ({
        credentials: standIn.credentials,
        config: { api_url: standIn.origin, ...needed, ...config },
        fetchOutbound: outbound.fetchOutbound,
        signal: new AbortController().signal,
      }),
      [Symbol.asyncDispose]: async () => {
        await standIn[Symbol.asyncDispose]()
        await outbound.close()
      },
    }
  }

const now = () => new Date()

export const openFreshdesk = openerOf(createFreshdeskDesk({ now }), startFreshdeskStandIn)
export const openFront = openerOf(createFrontDesk({ now }), startFrontStandIn, { teammate: US })
export const openHelpscout = openerOf(createHelpscoutDesk({ now }), startHelpscoutStandIn)
export const openHubspot = openerOf(createHubspotDesk({ now }), startHubspotStandIn, { sender: HUBSPOT_US })
export const openZammad = openerOf(createZammadDesk({ now }), startZammadStandIn)
export const openChatwoot = openerOf(CHATWOOT, startChatwootStandIn, { account_id: ACCOUNT })
export const openIntercom = openerOf(INTERCOM, startIntercomStandIn)
