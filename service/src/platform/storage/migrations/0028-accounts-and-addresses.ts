/**
 * A token belongs to a person and works in all of their workspaces: the owner of one workspace can exclude it there, with no effect
 * elsewhere.
 */
const exclusions = [
  `create table access_token_exclusions (
    token_id uuid not null references access_tokens (id) on delete cascade,
    workspace_id uuid not null references workspaces (id) on delete cascade,
    created_at timestamptz not null,
    primary key (token_id, workspace_id)
  )`,
  'create index access_token_exclusions_workspace on access_token_exclusions (workspace_id)',
]

/** Characters that browsers accept in an address but that would end it in Markdown or HTML, by code, so that nothing is quoted here. */
const ESCAPES: readonly [number, string][] = [
  [0x20, '%20'],
  [0x22, '%22'],
  [0x27, '%27'],
  [0x3c, '%3C'],
  [0x3e, '%3E'],
  [0x5c, '%5C'],
  [0x60, '%60'],
]

const escaped = ESCAPES.reduce(
  (text, [sign, code]) => `replace(${text}, chr(${sign}), '${code}')`,
  `regexp_replace(url, '[[:cntrl:]]', '', 'g')`,
)

/** Addresses stored as they were sent, before they were normalised. */
const addresses = ['documents', 'custom_answers', 'mcp_feedback'].map(
  (table) => `update ${table} set url = ${escaped} where url ~ '^https?://' and url <> ${escaped}`,
)

export const accountsAndAddressesMigration = [...exclusions, ...addresses]
