import { APPROVAL_ENDPOINTS } from './approvals.ts'
import { HELPDESK_CONNECTION_ENDPOINTS } from './helpdesk-connections.ts'
import { AGENT_APP_ENDPOINTS, BOT_ENDPOINTS, HELPDESK_INTEGRATION_ENDPOINTS } from './integrations.ts'
import { SIMULATION_ENDPOINTS } from './simulations.ts'
import { TICKET_FILE_ENDPOINTS } from './ticket-files.ts'
import { ACCESS_TOKEN_ENDPOINTS } from './access-tokens.ts'
import { ACTIVITY_ENDPOINTS } from './activity.ts'
import { CUSTOM_ANSWER_ENDPOINTS } from './custom-answers.ts'
import { BOT_CONNECTION_ENDPOINTS } from './bot-connections.ts'
import { CHAT_SOCKET_ENDPOINTS } from './chat-socket.ts'
import { CAPTCHA_ENDPOINTS } from './captcha.ts'
import { CONNECTED_TOOL_ENDPOINTS } from './connected-tools.ts'
import { CONVERSATION_ENDPOINTS } from './conversations.ts'
import { ANALYTICS_ENDPOINTS } from './analytics.ts'
import { TICKET_ENDPOINTS } from './tickets.ts'
import { TRACE_ENDPOINTS } from './traces.ts'
import { CLIENT_KEY_ENDPOINTS } from './client-keys.ts'
import { CONVERSATION_PURGE_ENDPOINTS } from './conversation-purge.ts'
import { DIAGNOSTICS_ENDPOINTS } from './diagnostics.ts'
import { DOCUMENT_ENDPOINTS } from './documents.ts'
import { EVALUATION_ENDPOINTS } from './evaluations.ts'
import { EXPORT_ENDPOINTS } from './exports.ts'
import { FEEDBACK_ENDPOINTS, RATING_ENDPOINTS } from './feedback.ts'
import { FORM_DEFLECTOR_ENDPOINTS } from './form-deflectors.ts'
import { HEALTH_ENDPOINTS } from './health.ts'
import { KNOWLEDGE_BASE_GRANT_ENDPOINTS } from './knowledge-base-grants.ts'
import { KNOWLEDGE_BASE_ENDPOINTS } from './knowledge-base-endpoints.ts'
import { KNOWLEDGE_GAP_ENDPOINTS } from './knowledge-gaps.ts'
import { MCP_SERVER_ENDPOINTS } from './mcp-servers.ts'
import { MEMBER_ENDPOINTS } from './members.ts'
import { ME_ENDPOINTS } from './me.ts'
import { OPENAI_ENDPOINTS } from './openai.ts'
import { OWN_CONVERSATION_ENDPOINTS } from './own-conversations.ts'
import { PASSWORD_LINK_ENDPOINTS } from './password-links.ts'
import { PII_MASKING_ENDPOINTS } from './pii-masking.ts'
import { PLATFORM_HOOK_ENDPOINTS } from './platform-hooks.ts'
import { PUBLIC_ENDPOINTS } from './public-endpoints.ts'
import { PUSHED_DOCUMENT_ENDPOINTS } from './pushed-documents.ts'
import { REPORT_ENDPOINTS } from './reports.ts'
import { SOURCE_CONNECTION_ENDPOINTS } from './source-connections.ts'
import { SOURCE_ENDPOINTS } from './source-endpoints.ts'
import { SOURCE_GROUP_ENDPOINTS } from './source-groups.ts'
import { SYNC_ENDPOINTS } from './syncs.ts'
import { BASE_EVENT_ENDPOINTS } from './base-events.ts'
import { TEAM_CHAT_ENDPOINTS } from './team-chat-endpoints.ts'
import { WORKSPACE_CHAT_ENDPOINTS } from './workspace-chat.ts'
import { UPLOADED_FILE_ENDPOINTS } from './uploaded-files.ts'
import { WEBHOOK_ENDPOINTS } from './webhooks.ts'
import { WIDGET_CONFIG_ENDPOINTS } from './widget-config.ts'
import { WIDGET_ENDPOINTS } from './widgets.ts'
import { WORKSPACE_USAGE_ENDPOINTS } from './workspace-usage.ts'
import { WORKSPACE_ENDPOINTS } from './workspaces.ts'

/** Every endpoint of the service, by operation id, in the order in which the reference lists them. */
export const ENDPOINTS = {
  ...PUBLIC_ENDPOINTS,
  ...CHAT_SOCKET_ENDPOINTS,
  ...OPENAI_ENDPOINTS,
  ...KNOWLEDGE_BASE_ENDPOINTS,
  ...PII_MASKING_ENDPOINTS,
  ...KNOWLEDGE_BASE_GRANT_ENDPOINTS,
  ...SOURCE_ENDPOINTS,
  ...SOURCE_CONNECTION_ENDPOINTS,
  ...SYNC_ENDPOINTS,
  ...BASE_EVENT_ENDPOINTS,
  ...DOCUMENT_ENDPOINTS,
  ...PUSHED_DOCUMENT_ENDPOINTS,
  ...UPLOADED_FILE_ENDPOINTS,
  ...SOURCE_GROUP_ENDPOINTS,
  ...CUSTOM_ANSWER_ENDPOINTS,
  ...CLIENT_KEY_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...FORM_DEFLECTOR_ENDPOINTS,
  ...WIDGET_CONFIG_ENDPOINTS,
  ...CAPTCHA_ENDPOINTS,
  ...MCP_SERVER_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...BOT_ENDPOINTS,
  ...BOT_CONNECTION_ENDPOINTS,
  ...PLATFORM_HOOK_ENDPOINTS,
  ...HELPDESK_INTEGRATION_ENDPOINTS,
  ...HELPDESK_CONNECTION_ENDPOINTS,
  ...TICKET_ENDPOINTS,
  ...AGENT_APP_ENDPOINTS,
  ...APPROVAL_ENDPOINTS,
  ...TICKET_FILE_ENDPOINTS,
  ...SIMULATION_ENDPOINTS,
  ...CONVERSATION_ENDPOINTS,
  ...TRACE_ENDPOINTS,
  ...FEEDBACK_ENDPOINTS,
  ...REPORT_ENDPOINTS,
  ...ANALYTICS_ENDPOINTS,
  ...KNOWLEDGE_GAP_ENDPOINTS,
  ...EVALUATION_ENDPOINTS,
  ...EXPORT_ENDPOINTS,
  ...TEAM_CHAT_ENDPOINTS,
  ...WORKSPACE_CHAT_ENDPOINTS,
  ...RATING_ENDPOINTS,
  ...OWN_CONVERSATION_ENDPOINTS,
  ...WORKSPACE_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...PASSWORD_LINK_ENDPOINTS,
  ...ACTIVITY_ENDPOINTS,
  ...ME_ENDPOINTS,
  ...CONNECTED_TOOL_ENDPOINTS,
  ...ACCESS_TOKEN_ENDPOINTS,
  ...WORKSPACE_USAGE_ENDPOINTS,
  ...CONVERSATION_PURGE_ENDPOINTS,
  ...HEALTH_ENDPOINTS,
  ...DIAGNOSTICS_ENDPOINTS,
} as const
