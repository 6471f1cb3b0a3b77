import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Fault } from '../ui/fault.tsx'
import { Page } from '../ui/page.tsx'
import { BaseLayout } from './base-layout.tsx'
import { Home } from './home.tsx'
import { Shell } from './shell.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  notFoundComponent: () => (
    <Page title="There is no such page" lead="Its address may be mistyped, or what it showed was deleted.">
      <a href="/">To your knowledge bases</a>
    </Page>
  ),
  errorComponent: ({ error, reset }) => (
    <Page title="Something went wrong">
      <Fault error={error} onRetry={reset} />
    </Page>
  ),
})

const STEPS = ['address', 'pages', 'ask', 'site'] as const

/** Where a person is in the first steps. */
export interface StartSearch {
  step?: (typeof STEPS)[number]
  /** The knowledge base that is set up. */
  kb?: string
}

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  component: lazyRouteComponent(() => import('../rooms/knowledge-bases/bases-page.tsx'), 'BasesPage'),
})
const members = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId/members',
  component: lazyRouteComponent(() => import('../rooms/members/members-page.tsx'), 'MembersPage'),
})
const activity = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId/activity',
  component: lazyRouteComponent(() => import('../rooms/activity/activity-page.tsx'), 'ActivityPage'),
})
const plan = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId/plan',
  component: lazyRouteComponent(() => import('../rooms/plan/plan-page.tsx'), 'PlanPage'),
})
const me = createRoute({
  getParentRoute: () => root,
  path: '/me',
  component: lazyRouteComponent(() => import('../rooms/me/me-page.tsx'), 'MePage'),
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  validateSearch: ({ step, kb }: Record<string, unknown>): StartSearch => {
    const known = STEPS.find((one) => one === step)
    return { ...(known !== undefined && { step: known }), ...(typeof kb === 'string' && { kb }) }
  },
  component: lazyRouteComponent(() => import('../rooms/start/start-page.tsx'), 'StartPage'),
})
const assistant = createRoute({
  getParentRoute: () => root,
  path: '/ask/{-$threadId}',
  component: lazyRouteComponent(() => import('../rooms/assistant/assistant-page.tsx'), 'AssistantPage'),
})

const base = createRoute({ getParentRoute: () => root, path: '/kb/$baseId', component: BaseLayout })
const overview = createRoute({
  getParentRoute: () => base,
  path: '/',
  component: lazyRouteComponent(() => import('../rooms/overview/overview-page.tsx'), 'OverviewPage'),
})
const ask = createRoute({
  getParentRoute: () => base,
  path: '/ask',
  component: lazyRouteComponent(() => import('../rooms/ask/ask-page.tsx'), 'AskPage'),
})
const sources = createRoute({
  getParentRoute: () => base,
  path: '/sources',
  component: lazyRouteComponent(() => import('../rooms/sources/sources-page.tsx'), 'SourcesPage'),
})
const newSource = createRoute({
  getParentRoute: () => base,
  path: '/sources/new',
  component: lazyRouteComponent(() => import('../rooms/sources/new-source-page.tsx'), 'NewSourcePage'),
})
const documents = createRoute({
  getParentRoute: () => base,
  path: '/documents',
  component: lazyRouteComponent(() => import('../rooms/documents/documents-page.tsx'), 'DocumentsPage'),
})
const document = createRoute({
  getParentRoute: () => base,
  path: '/documents/$documentId',
  component: lazyRouteComponent(() => import('../rooms/documents/document-page.tsx'), 'DocumentPage'),
})
const analytics = createRoute({
  getParentRoute: () => base,
  path: '/analytics',
  validateSearch: ({ days }): { days?: number } => (typeof days === 'number' ? { days } : {}),
  component: lazyRouteComponent(() => import('../rooms/analytics/analytics-page.tsx'), 'AnalyticsPage'),
})
const conversations = createRoute({
  getParentRoute: () => base,
  path: '/conversations',
  validateSearch: ({ show }): { show?: string } => (typeof show === 'string' ? { show } : {}),
  component: lazyRouteComponent(
    () => import('../rooms/conversations/conversations-page.tsx'),
    'ConversationsPage',
  ),
})
const conversation = createRoute({
  getParentRoute: () => base,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(
    () => import('../rooms/conversations/conversation-page.tsx'),
    'ConversationPage',
  ),
})
const answers = createRoute({
  getParentRoute: () => base,
  path: '/answers',
  validateSearch: ({ question }): { question?: string } => (typeof question === 'string' ? { question } : {}),
  component: lazyRouteComponent(
    () => import('../rooms/custom-answers/custom-answers-page.tsx'),
    'CustomAnswersPage',
  ),
})
const trace = createRoute({
  getParentRoute: () => base,
  path: '/traces/$messageId',
  component: lazyRouteComponent(() => import('../rooms/traces/trace-page.tsx'), 'TracePage'),
})
const keys = createRoute({
  getParentRoute: () => base,
  path: '/keys',
  component: lazyRouteComponent(() => import('../rooms/client-keys/keys-page.tsx'), 'KeysPage'),
})
const widgets = createRoute({
  getParentRoute: () => base,
  path: '/widgets',
  component: lazyRouteComponent(() => import('../rooms/widgets/widgets-page.tsx'), 'WidgetsPage'),
})
const settings = createRoute({
  getParentRoute: () => base,
  path: '/settings',
  component: lazyRouteComponent(() => import('../rooms/settings/settings-page.tsx'), 'SettingsPage'),
})

const routeTree = root.addChildren([
  home,
  workspace,
  members,
  activity,
  plan,
  me,
  start,
  assistant,
  base.addChildren([
    overview,
    ask,
    sources,
    newSource,
    documents,
    document,
    analytics,
    conversations,
    conversation,
    answers,
    trace,
    keys,
    widgets,
    settings,
  ]),
])

export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
