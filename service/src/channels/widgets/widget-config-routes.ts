import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { WidgetConfig } from '@citewell/contract/widget-config'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { mcpServerUrl, type McpServers } from '../mcp-servers/mcp-servers.ts'
import { requireWidget, type PublicCaller } from '../public-api/public-api.ts'
import { presentSavedConfig } from './present-widget-config.ts'
import type { Widgets } from './widgets.ts'
import { findPlanOfBase, type WidgetConfigDb } from './widget-config-store.ts'

export interface WidgetConfigDeps {
  db: WidgetConfigDb
  captcha: Pick<Captcha, 'isRequired' | 'clientSettings'>
  mcpServers: Pick<McpServers, 'ensurePublicMcpServer'>
  widgets: Pick<Widgets, 'markSeen'>
  /** Whether readers can sign in at MCP servers of this service. If not, no server is created or shown. */
  offersMcpSignIn: boolean
  /** Public URL of the service, without a trailing slash; known once it listens. */
  publicUrl: () => string
  report: (fault: unknown, what: string) => void
}

/** Longest origin that is kept: a host name has at most 253 characters. */
const MAX_ORIGIN_CHARACTERS = 300

/** The origin of a web page; undefined for a server, a file, and anything else. */
function pageOrigin(origin: string | undefined): string | undefined {
  const url = origin === undefined ? null : URL.parse(origin)
  const isPage = url !== null && /^https?:$/.test(url.protocol)
  return isPage && url.origin.length <= MAX_ORIGIN_CHARACTERS ? url.origin : undefined
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** The settings that a widget requests when its page is opened. */
export function createWidgetConfigRoutes(deps: WidgetConfigDeps) {
  const { db, captcha, mcpServers, publicUrl } = deps

  /** Only a page's own request counts, and no page of this service. A widget works also where nothing can be written. */
  async function markSeen({ base, origin }: PublicCaller, widgetId: string | undefined): Promise<void> {
    const page = pageOrigin(origin)
    if (page === undefined || page === new URL(publicUrl()).origin) return
    await deps.widgets
      .markSeen({ knowledgeBaseId: base.id, id: widgetId, origin: page })
      .catch((fault: unknown) => deps.report(fault, 'remembering where a widget was seen'))
  }

  async function configOf({ base, clientKey }: PublicCaller): Promise<WidgetConfig> {
    const tokens = captcha.clientSettings()
    return {
      knowledge_base_id: base.id,
      knowledge_base_name: base.name,
      captcha_required: captcha.isRequired(clientKey),
      captcha_site_key: tokens?.siteKey ?? '',
      ...(tokens !== undefined && { captcha_provider: tokens.provider }),
      hide_branding_allowed: (await findPlanOfBase(db, base.id)) === 'enterprise',
      ...(await mcpOf(base)),
    }
  }

  async function mcpOf(
    base: PublicCaller['base'],
  ): Promise<Pick<WidgetConfig, 'mcp_available' | 'mcp_url' | 'mcp_oauth'>> {
    const server = deps.offersMcpSignIn ? await mcpServers.ensurePublicMcpServer(base) : undefined
    if (server === undefined) return { mcp_available: false }
    return { mcp_available: true, mcp_url: mcpServerUrl(server.server_name, publicUrl()), mcp_oauth: true }
  }

  return [
    endpoint(ENDPOINTS.getWidgetConfig, async ({ caller }) => {
      await markSeen(caller, undefined)
      return await configOf(caller)
    }),
    endpoint(ENDPOINTS.getSavedWidgetConfig, async ({ caller, params }) => {
      const widget = await requireWidget(db, caller.base.id, params.widgetId, caller.origin)
      await markSeen(caller, params.widgetId)
      return {
        ...(await configOf(caller)),
        id: params.widgetId.toLowerCase(),
        enabled: widget.enabled,
        config: presentSavedConfig(widget.config),
      }
    }),
  ]
}
