import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { base } from './parent-routes.tsx'

/** Where a knowledge base is reached: the screens of the section Reach, and the groups that limit it. */

const groups = createRoute({
  getParentRoute: () => base,
  path: '/groups',
  component: lazyRouteComponent(
    () => import('../rooms/source-groups/source-groups-page.tsx'),
    'SourceGroupsPage',
  ),
})
const widgets = createRoute({
  getParentRoute: () => base,
  path: '/widgets',
  component: lazyRouteComponent(() => import('../rooms/widgets/widgets-page.tsx'), 'WidgetsPage'),
})
const widget = createRoute({
  getParentRoute: () => base,
  path: '/widgets/$widgetId',
  component: lazyRouteComponent(() => import('../rooms/widgets/widget-page.tsx'), 'WidgetPage'),
})
const mcp = createRoute({
  getParentRoute: () => base,
  path: '/mcp',
  component: lazyRouteComponent(() => import('../rooms/mcp-servers/mcp-servers-page.tsx'), 'McpServersPage'),
})
const forms = createRoute({
  getParentRoute: () => base,
  path: '/forms',
  component: lazyRouteComponent(
    () => import('../rooms/form-deflectors/form-deflectors-page.tsx'),
    'FormDeflectorsPage',
  ),
})
const form = createRoute({
  getParentRoute: () => base,
  path: '/forms/$formId',
  component: lazyRouteComponent(
    () => import('../rooms/form-deflectors/form-deflector-page.tsx'),
    'FormDeflectorPage',
  ),
})
const bots = createRoute({
  getParentRoute: () => base,
  path: '/bots',
  component: lazyRouteComponent(() => import('../rooms/integrations/bots-page.tsx'), 'BotsPage'),
})
const helpdesks = createRoute({
  getParentRoute: () => base,
  path: '/helpdesks',
  component: lazyRouteComponent(() => import('../rooms/integrations/helpdesks-page.tsx'), 'HelpdesksPage'),
})
const agentApps = createRoute({
  getParentRoute: () => base,
  path: '/agent-apps',
  component: lazyRouteComponent(() => import('../rooms/integrations/agent-apps-page.tsx'), 'AgentAppsPage'),
})
const approvals = createRoute({
  getParentRoute: () => base,
  path: '/approvals',
  validateSearch: ({ show }): { show?: 'approved' | 'rejected' } =>
    show === 'approved' || show === 'rejected' ? { show } : {},
  component: lazyRouteComponent(() => import('../rooms/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})
const simulations = createRoute({
  getParentRoute: () => base,
  path: '/simulations',
  component: lazyRouteComponent(() => import('../rooms/simulations/simulations-page.tsx'), 'SimulationsPage'),
})
const simulation = createRoute({
  getParentRoute: () => base,
  path: '/simulations/$simulationId',
  validateSearch: ({ against }): { against?: string } => (typeof against === 'string' ? { against } : {}),
  component: lazyRouteComponent(() => import('../rooms/simulations/simulation-page.tsx'), 'SimulationPage'),
})

export const reachRoutes = [
  groups,
  widgets,
  widget,
  mcp,
  forms,
  form,
  bots,
  helpdesks,
  agentApps,
  approvals,
  simulations,
  simulation,
] as const
