/** A way to connect an AI tool: a text to copy, or an address that the tool opens. */
export interface ToolLink {
  tool: string
  name: string
  copies?: string
  opens?: string
}

/** A name that every tool accepts: small letters, digits and dashes. */
function serverName(knowledgeBase: string): string {
  const name = knowledgeBase
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-/, '')
    .replace(/-$/, '')
  return name || 'docs'
}

const toBase64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** How AI tools connect to a server of this address. No step has a key in it. */
export function toolLinks(knowledgeBase: string, url: string): ToolLink[] {
  const name = serverName(knowledgeBase)
  const json = JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2)
  const cursor = new URLSearchParams({ name, config: toBase64(JSON.stringify({ url })) })
  const code = encodeURIComponent(JSON.stringify({ name, type: 'http', url }))
  return [
    { tool: 'claude-code', name: 'Claude Code', copies: `claude mcp add --transport http ${name} ${url}` },
    { tool: 'codex', name: 'Codex', copies: `codex mcp add ${name} --url ${url}` },
    { tool: 'cursor', name: 'Cursor', opens: `cursor://anysphere.cursor-deeplink/mcp/install?${cursor}` },
    { tool: 'vscode', name: 'VS Code', opens: `vscode:mcp/install?${code}` },
    { tool: 'json', name: 'JSON', copies: json },
  ]
}
