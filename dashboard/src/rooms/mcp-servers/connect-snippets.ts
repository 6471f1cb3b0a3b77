import type { McpServer } from '@citewell/sdk/management'
import type { Snippet } from '../../ui/snippets.tsx'

const written = (value: unknown): string => JSON.stringify(value, null, 2)

/** Stands for a key where there is none to show. */
const NO_KEY = 'YOUR_CLIENT_KEY'

/** How each tool is connected to a server at which keys are used. */
function withKey({ server_name: name, url }: McpServer, key: string): Snippet[] {
  const bearer = (of: string) => ({ Authorization: `Bearer ${of}` })
  return [
    {
      name: 'Claude Code',
      place: 'In a terminal',
      text: `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    {
      name: 'Cursor',
      place: '.cursor/mcp.json',
      text: written({ mcpServers: { [name]: { url, headers: bearer('${env:CITEWELL_KEY}') } } }),
      note: `Put the key ${key} into the environment variable CITEWELL_KEY.`,
    },
    {
      name: 'VS Code',
      place: '.vscode/mcp.json',
      text: written({
        inputs: [{ type: 'promptString', id: 'citewell-key', description: `Key of ${name}`, password: true }],
        servers: { [name]: { type: 'http', url, headers: bearer('${input:citewell-key}') } },
      }),
      note: `VS Code asks for the key once: ${key}`,
    },
    {
      name: 'Other tools',
      place: 'For tools that only start programs',
      text: written({
        mcpServers: {
          [name]: {
            command: 'npx',
            args: [
              '-y',
              'mcp-remote',
              url,
              '--transport',
              'http-only',
              '--header',
              'Authorization:${CITEWELL_AUTHORIZATION}',
            ],
            env: { CITEWELL_AUTHORIZATION: `Bearer ${key}` },
          },
        },
      }),
      note: `Any other tool takes the address ${url} (Streamable HTTP) and the header Authorization: Bearer ${key}.`,
    },
  ]
}

/** The same for servers at which people sign in: the tool opens the page for it. */
function withSignIn({ server_name: name, url }: McpServer): Snippet[] {
  return [
    {
      name: 'Claude Code',
      place: 'In a terminal',
      text: `claude mcp add --transport http ${name} ${url}\nclaude mcp login ${name}`,
    },
    { name: 'Cursor', place: '.cursor/mcp.json', text: written({ mcpServers: { [name]: { url } } }) },
    {
      name: 'VS Code',
      place: '.vscode/mcp.json',
      text: written({ servers: { [name]: { type: 'http', url } } }),
    },
    {
      name: 'Other tools',
      place: 'For tools that only start programs',
      text: written({
        mcpServers: {
          [name]: { command: 'npx', args: ['-y', 'mcp-remote', url, '--transport', 'http-only'] },
        },
      }),
      note: `Any other tool takes the address ${url} (Streamable HTTP), and opens the page on which one signs in.`,
    },
  ]
}

/**
 * How AI tools are connected to a server.
 *
 * @param key a public client key with MCP access; undefined if there is none
 */
export const connectSnippets = (server: McpServer, key: string | undefined): Snippet[] =>
  server.sign_in_type === 'api_key' ? withKey(server, key ?? NO_KEY) : withSignIn(server)
