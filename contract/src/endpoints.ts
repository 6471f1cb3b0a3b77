import { ACCESS_TOKEN_ENDPOINTS } from './access-tokens.ts'
import { CLIENT_KEY_ENDPOINTS } from './client-keys.ts'
import { DIAGNOSTICS_ENDPOINTS } from './diagnostics.ts'
import { DOCUMENT_ENDPOINTS } from './documents.ts'
import { HEALTH_ENDPOINTS } from './health.ts'
import { KNOWLEDGE_BASE_ENDPOINTS } from './knowledge-base-endpoints.ts'
import { ME_ENDPOINTS } from './me.ts'
import { PUBLIC_ENDPOINTS } from './public-endpoints.ts'
import { PUSHED_DOCUMENT_ENDPOINTS } from './pushed-documents.ts'
import { SOURCE_ENDPOINTS } from './source-endpoints.ts'
import { SOURCE_GROUP_ENDPOINTS } from './source-groups.ts'
import { SYNC_ENDPOINTS } from './syncs.ts'
import { TEAM_CHAT_ENDPOINTS } from './team-chat-endpoints.ts'
import { UPLOADED_FILE_ENDPOINTS } from './uploaded-files.ts'
import { WIDGET_ENDPOINTS } from './widgets.ts'

/** Every endpoint of the service, by operation id, in the order in which the reference lists them. */
export const ENDPOINTS = {
  ...PUBLIC_ENDPOINTS,
  ...KNOWLEDGE_BASE_ENDPOINTS,
  ...SOURCE_ENDPOINTS,
  ...SYNC_ENDPOINTS,
  ...DOCUMENT_ENDPOINTS,
  ...PUSHED_DOCUMENT_ENDPOINTS,
  ...UPLOADED_FILE_ENDPOINTS,
  ...SOURCE_GROUP_ENDPOINTS,
  ...CLIENT_KEY_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...TEAM_CHAT_ENDPOINTS,
  ...ME_ENDPOINTS,
  ...ACCESS_TOKEN_ENDPOINTS,
  ...HEALTH_ENDPOINTS,
  ...DIAGNOSTICS_ENDPOINTS,
} as const
