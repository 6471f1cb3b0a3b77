import type { BaseHooks } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { nameRecords } from '../../platform/storage/base-records.ts'
import { AGENT_APP } from './agent-app.ts'
import { BOT } from './bot.ts'
import { HELPDESK_INTEGRATION } from './helpdesk-integration.ts'
import { createIntegrationRecords, type IntegrationsDeps } from './integration-records.ts'
import { countIntegrations, type IntegrationKindName, type IntegrationsDb } from './integrations-store.ts'

export { API_URL_WRONG, apiAddress } from './api-address.ts'
export { requireExternal } from './helpdesk-integration.ts'
export type { Credentials } from './integration-kind.ts'
export { openCredentials } from './integration-records.ts'
export { shownCredentials, shownSettings, type OwnerFields } from './owner-fields.ts'
export {
  findIntegrationById,
  hasIntegration,
  listDriven,
  noteProblem,
  type IntegrationRow,
} from './integrations-store.ts'

const countOf = (kind: IntegrationKindName) => (db: IntegrationsDb, knowledgeBaseId: string) =>
  countIntegrations(db, kind, knowledgeBaseId)

const namesOf = (kind: IntegrationKindName) =>
  nameRecords('integrations', { name: 'name', where: { kind: [kind], enabled: ['true'] } })

export const integrationHooks: BaseHooks = {
  records: [
    { noun: 'bots', table: 'integrations', name: 'name' },
    { noun: 'helpdesk-integrations', table: 'integrations', name: 'name' },
    { noun: 'agent-apps', table: 'integrations', name: 'name' },
  ],
  owned: [
    { counts: 'bots', count: countOf('bot') },
    { counts: 'helpdesk_integrations', count: countOf('helpdesk_integration') },
    { counts: 'agent_apps', count: countOf('agent_app') },
  ],
  affectedByInternal: [
    { shows: 'helpdesk_integrations', name: namesOf('helpdesk_integration') },
    { shows: 'bots', name: namesOf('bot') },
  ],
}

/** The three kinds of integration, which share one table. */
export const createIntegrations = (deps: IntegrationsDeps) => ({
  bots: createIntegrationRecords(BOT, deps),
  helpdeskIntegrations: createIntegrationRecords(HELPDESK_INTEGRATION, deps),
  agentApps: createIntegrationRecords(AGENT_APP, deps),
})

export type Integrations = ReturnType<typeof createIntegrations>
