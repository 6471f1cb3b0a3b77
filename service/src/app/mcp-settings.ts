import { z } from 'zod'

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$/

/** A host as addresses have it: `Claude.AI` is `claude.ai`; undefined for what is none. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(`https://${text}`)
  return url !== null && HOST.test(url.host) && url.href === `https://${url.host}/` ? url.host : undefined
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** What no tool waits at. */
const OF_BROWSERS = new Set(['http', 'https', 'file', 'data', 'javascript', 'blob', 'about', 'view-source'])

/** Hosts of websites that may be connected to the portal, and whose pages may call MCP servers. */
export const mcpEnvironment = {
  CITEWELL_MCP_WEB_CLIENT_HOSTS: z
    .string()
    .default('')
    .transform((text, context) =>
      partsOf(text).flatMap((part) => {
        const host = hostOf(part)
        if (host !== undefined) return [host]
        context.addIssue({
          code: 'custom',
          message: `"${part}" is no host: write "claude.ai", without https://`,
        })
        return []
      }),
    ),
  /** Schemes of tools on people's own machines that may be connected, beside those that are known. */
  CITEWELL_MCP_TOOL_SCHEMES: z
    .string()
    .default('')
    .transform((text, context) =>
      partsOf(text).flatMap((part) => {
        const scheme = part.replace(/:\/*$/, '').toLowerCase()
        if (/^[a-z][a-z0-9+.-]*$/.test(scheme) && !OF_BROWSERS.has(scheme)) return [scheme]
        context.addIssue({ code: 'custom', message: `"${part}" is no scheme of a tool: write "mytool"` })
        return []
      }),
    ),
}
