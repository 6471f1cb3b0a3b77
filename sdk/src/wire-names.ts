/** The names that differ between this SDK and the wire; all others are the same on both sides. */
const WIRE_NAMES = {
  captchaProvider: 'captcha_provider',
  captchaRequired: 'captcha_required',
  captchaSiteKey: 'captcha_site_key',
  chunkId: 'chunk_id',
  conversationId: 'conversation_id',
  createdAt: 'created_at',
  documentId: 'document_id',
  formId: 'form_id',
  groupIds: 'group_ids',
  headingPath: 'heading_path',
  hideBrandingAllowed: 'hide_branding_allowed',
  knowledgeBaseId: 'knowledge_base_id',
  knowledgeBaseName: 'knowledge_base_name',
  mcpAvailable: 'mcp_available',
  mcpOauth: 'mcp_oauth',
  mcpUrl: 'mcp_url',
  messageId: 'message_id',
  poweredBy: 'powered_by',
  poweredByUrl: 'powered_by_url',
  skippedReason: 'skipped_reason',
  threadId: 'thread_id',
  topK: 'top_k',
  updatedAt: 'updated_at',
  versionLabel: 'version_label',
  widgetId: 'widget_id',
  workspaceId: 'workspace_id',
} as const

/** A record as it is on the wire, with the names of this SDK. */
type NameOf = { [Name in keyof typeof WIRE_NAMES as (typeof WIRE_NAMES)[Name]]: Name }
export type Outside<Wire> = Wire extends readonly (infer Item)[]
  ? Outside<Item>[]
  : Wire extends object
    ? {
        [Name in keyof Wire as Name extends keyof NameOf ? NameOf[Name] : Name]: Name extends 'config'
          ? Wire[Name]
          : Outside<Wire[Name]>
      }
    : Wire

const toWireName = new Map<string, string>(Object.entries(WIRE_NAMES))
const toOutsideName = new Map<string, string>(Object.entries(WIRE_NAMES).map(([name, wire]) => [wire, name]))

function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, names))
  if (typeof value !== 'object' || value === null) return value
  // `Object.fromEntries` defines its properties: a key such as `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      names.get(key) ?? key,
      // The saved settings of a widget are the owner's words.
      key === 'config' ? inner : rename(inner, names),
    ]),
  )
}

/** A body of this SDK with the names of the wire. */
export const toWire = (value: object): Record<string, unknown> =>
  rename(value, toWireName) as Record<string, unknown>

/** A body of the wire with the names of this SDK. */
export const fromWire = (value: unknown): unknown => rename(value, toOutsideName)
