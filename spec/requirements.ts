import type { Requirement } from './requirement.ts'
import { CONNECTED_TOOLS } from './requirements/connected-tools.ts'
import { VERSIONS } from './requirements/versions.ts'
import { SYNCS } from './requirements/syncs.ts'
import { VISIBILITY } from './requirements/visibility.ts'
import { CUSTOM_ANSWERS } from './requirements/custom-answers.ts'
import { DOCUMENTS } from './requirements/documents.ts'
import { SOURCE_GROUPS } from './requirements/source-groups.ts'
import { SOURCES } from './requirements/sources.ts'
import { KNOWLEDGE_BASES } from './requirements/knowledge-bases.ts'
import { CONNECTORS } from './requirements/connectors.ts'
import { MCP } from './requirements/mcp.ts'
import { MCP_ATTACKS } from './requirements/mcp-attacks.ts'
import { TRAPS } from './requirements/traps.ts'
import { RUNNING } from './requirements/running.ts'
import { OPENAPI } from './requirements/openapi.ts'
import { RATE_LIMITS } from './requirements/rate-limits.ts'
import { LIMITS_OF_THE_CONTRACT } from './requirements/limits.ts'
import { ERRORS } from './requirements/errors.ts'
import { CONVENTIONS } from './requirements/conventions.ts'
import { APPROVALS } from './requirements/approvals.ts'
import { SIMULATIONS } from './requirements/simulations.ts'
import { AGENT_APPS } from './requirements/agent-apps.ts'
import { HELPDESK_INTEGRATIONS } from './requirements/helpdesk-integrations.ts'
import { BOTS } from './requirements/bots.ts'
import { EVENTS } from './requirements/events.ts'
import { WEBHOOKS } from './requirements/webhooks.ts'
import { ANALYTICS } from './requirements/analytics.ts'
import { ANSWER_STYLE } from './requirements/answer-style.ts'
import { CONVERSATIONS } from './requirements/conversations.ts'
import { TRACES } from './requirements/traces.ts'
import { AUTHENTICATION } from './requirements/authentication.ts'
import { WIDGETS } from './requirements/widgets.ts'
import { MCP_SERVERS } from './requirements/mcp-servers.ts'
import { CLIENT_KEYS } from './requirements/client-keys.ts'
import { CAPTCHA } from './requirements/captcha.ts'
import { CHAT } from './requirements/chat.ts'
import { THREADS } from './requirements/threads.ts'
import { CITATIONS } from './requirements/citations.ts'
import { SEARCH } from './requirements/search.ts'
import { RELATED } from './requirements/related.ts'
import { SUGGESTED_QUESTIONS } from './requirements/suggested-questions.ts'
import { WEBSOCKET } from './requirements/websocket.ts'
import { OPENAI } from './requirements/openai.ts'
import { FORM_DEFLECTORS } from './requirements/form-deflectors.ts'
import { FEEDBACK } from './requirements/feedback.ts'
import { WORKSPACES } from './requirements/workspaces.ts'
import { MEMBERS } from './requirements/members.ts'
import { SIGN_IN } from './requirements/sign-in.ts'
import { PERMISSIONS } from './requirements/permissions.ts'
import { ACCESS_TOKENS } from './requirements/access-tokens.ts'
import { PLANS } from './requirements/plans.ts'
import { ACTIVITY_LOG } from './requirements/activity-log.ts'
import { ALLOWANCE } from './requirements/allowance.ts'
import { LANGUAGE_MODELS } from './requirements/language-models.ts'
import { PII } from './requirements/pii.ts'
import { REPORTS } from './requirements/reports.ts'
import { RETENTION } from './requirements/retention.ts'
import { ZERO_RETENTION } from './requirements/zero-retention.ts'

/** Every sentence of the contract, by noun. */
export const REQUIREMENTS_BY_NOUN = {
  versions: VERSIONS,
  syncs: SYNCS,
  visibility: VISIBILITY,
  'custom-answers': CUSTOM_ANSWERS,
  documents: DOCUMENTS,
  'source-groups': SOURCE_GROUPS,
  sources: SOURCES,
  'knowledge-bases': KNOWLEDGE_BASES,
  approvals: APPROVALS,
  simulations: SIMULATIONS,
  'agent-apps': AGENT_APPS,
  'helpdesk-integrations': HELPDESK_INTEGRATIONS,
  bots: BOTS,
  events: EVENTS,
  webhooks: WEBHOOKS,
  authentication: AUTHENTICATION,
  widgets: WIDGETS,
  'mcp-servers': MCP_SERVERS,
  'client-keys': CLIENT_KEYS,
  captcha: CAPTCHA,
  chat: CHAT,
  threads: THREADS,
  citations: CITATIONS,
  search: SEARCH,
  related: RELATED,
  'suggested-questions': SUGGESTED_QUESTIONS,
  websocket: WEBSOCKET,
  openai: OPENAI,
  'form-deflectors': FORM_DEFLECTORS,
  feedback: FEEDBACK,
  conventions: CONVENTIONS,
  errors: ERRORS,
  limits: LIMITS_OF_THE_CONTRACT,
  'rate-limits': RATE_LIMITS,
  openapi: OPENAPI,
  running: RUNNING,
  traps: TRAPS,
  mcp: MCP,
  'mcp-attacks': MCP_ATTACKS,
  'connected-tools': CONNECTED_TOOLS,
  connectors: CONNECTORS,
  workspaces: WORKSPACES,
  members: MEMBERS,
  'sign-in': SIGN_IN,
  permissions: PERMISSIONS,
  'access-tokens': ACCESS_TOKENS,
  plans: PLANS,
  'activity-log': ACTIVITY_LOG,
  allowance: ALLOWANCE,
  'language-models': LANGUAGE_MODELS,
  pii: PII,
  reports: REPORTS,
  retention: RETENTION,
  'zero-retention': ZERO_RETENTION,
  conversations: CONVERSATIONS,
  traces: TRACES,
  analytics: ANALYTICS,
  'answer-style': ANSWER_STYLE,
} as const satisfies Record<string, Record<string, Requirement>>

type ByNoun = typeof REQUIREMENTS_BY_NOUN

/** `noun.statement`, e.g. `feedback.one-per-answer`. */
export type RequirementId = { [Noun in keyof ByNoun]: keyof ByNoun[Noun] }[keyof ByNoun]

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = Object.assign(
  {},
  ...Object.values(REQUIREMENTS_BY_NOUN),
)
