import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { WidgetConfig } from '@citewell/contract/widget-config'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { mcpServerUrl, type McpServers } from '../mcp-servers/mcp-servers.ts'
import { requireWidget, type PublicCaller } from '../public-api/public-api.ts'
import { presentSavedConfig } from './present-widget-config.ts'
import { findPlanOfBase, type WidgetConfigDb } from './widget-config-store.ts'

export interface WidgetConfigDeps {
  db: WidgetConfigDb
  captcha: Pick<Captcha, 'isRequired' | 'clientSettings'>
  mcpServers: Pick<McpServers, 'ensurePublicMcpServer'>
  /** Whether readers can sign in at MCP servers of this service. If not, no server is created or shown. */
  offersMcpSignIn: boolean
  /** Public URL of the service, without a trailing slash; known once it listens. */
  publicUrl: () => string
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** The settings that a widget requests when its page is opened. */
export function createWidgetConfigRoutes(deps: WidgetConfigDeps) {
  const { db, captcha, mcpServers, publicUrl } = deps

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
    return {
      mcp_available: true,
      mcp_url: mcpServerUrl(server.server_name, publicUrl()),
      mcp_oauth: true,
    }
  }

  return [
    endpoint(ENDPOINTS.getWidgetConfig, async ({ caller }) => await configOf(caller)),
    endpoint(ENDPOINTS.getSavedWidgetConfig, async ({ caller, params }) => {
      const widget = await requireWidget(db, caller.base.id, params.widgetId, caller.origin)
      return {
        ...(await configOf(caller)),
        id: params.widgetId.toLowerCase(),
        enabled: widget.enabled,
        config: presentSavedConfig(widget.config),
      }
    }),
  ]
}
