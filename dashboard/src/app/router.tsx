import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { readConversationSearch } from '../rooms/conversations/conversation-search.ts'
import { readDocumentSearch } from '../rooms/documents/document-search.ts'
import { readListSearch } from '../ui/list-filter.tsx'
import { Home } from './home.tsx'
import { base, root } from './parent-routes.tsx'
import { reachRoutes } from './reach-routes.ts'

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
  validateSearch: ({ show }): { show?: string } => (typeof show === 'string' ? { show } : {}),
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
  validateSearch: ({ by, kb }): { by?: string; kb?: string } => ({
    ...(typeof by === 'string' && { by }),
    ...(typeof kb === 'string' && { kb }),
  }),
  component: lazyRouteComponent(() => import('../rooms/activity/activity-page.tsx'), 'ActivityPage'),
})
const plan = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId/plan',
  component: lazyRouteComponent(() => import('../rooms/plan/plan-page.tsx'), 'PlanPage'),
})
const workspaceSettings = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId/settings',
  component: lazyRouteComponent(
    () => import('../rooms/workspace-settings/workspace-settings-page.tsx'),
    'WorkspaceSettingsPage',
  ),
})
const instance = createRoute({
  getParentRoute: () => root,
  path: '/instance',
  component: lazyRouteComponent(() => import('../rooms/instance/instance-page.tsx'), 'InstancePage'),
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
  // A new conversation gets its address while it is on the screen.
  remountDeps: () => 'assistant',
})

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
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('../rooms/sources/sources-page.tsx'), 'SourcesPage'),
})
const newSource = createRoute({
  getParentRoute: () => base,
  path: '/sources/new',
  component: lazyRouteComponent(() => import('../rooms/sources/new-source-page.tsx'), 'NewSourcePage'),
})
const source = createRoute({
  getParentRoute: () => base,
  path: '/sources/$sourceId',
  component: lazyRouteComponent(() => import('../rooms/sources/source-page.tsx'), 'SourcePage'),
})
const documents = createRoute({
  getParentRoute: () => base,
  path: '/documents',
  validateSearch: readDocumentSearch,
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
  validateSearch: readConversationSearch,
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
  validateSearch: (search): { question?: string; gap?: string; q?: string } => ({
    ...readListSearch(search),
    ...(typeof search['question'] === 'string' && { question: search['question'] }),
    // The knowledge gap that the answer is written for.
    ...(typeof search['gap'] === 'string' && { gap: search['gap'] }),
  }),
  component: lazyRouteComponent(
    () => import('../rooms/custom-answers/custom-answers-page.tsx'),
    'CustomAnswersPage',
  ),
})
const gaps = createRoute({
  getParentRoute: () => base,
  path: '/gaps',
  validateSearch: ({ state, days }): { state?: string; days?: number } => ({
    ...(typeof state === 'string' && { state }),
    ...(typeof days === 'number' && { days }),
  }),
  component: lazyRouteComponent(() => import('../rooms/gaps/gaps-page.tsx'), 'GapsPage'),
})
const gap = createRoute({
  getParentRoute: () => base,
  path: '/gaps/$gapId',
  component: lazyRouteComponent(() => import('../rooms/gaps/gap-page.tsx'), 'GapPage'),
})
const feedback = createRoute({
  getParentRoute: () => base,
  path: '/feedback',
  validateSearch: ({ show }): { show?: string } => (typeof show === 'string' ? { show } : {}),
  component: lazyRouteComponent(() => import('../rooms/feedback/feedback-page.tsx'), 'FeedbackPage'),
})
const evaluation = createRoute({
  getParentRoute: () => base,
  path: '/evaluation',
  validateSearch: ({ tab }): { tab?: string } => (typeof tab === 'string' ? { tab } : {}),
  component: lazyRouteComponent(() => import('../rooms/evaluation/evaluation-page.tsx'), 'EvaluationPage'),
})
const evaluationRun = createRoute({
  getParentRoute: () => base,
  path: '/evaluation/$runId',
  validateSearch: ({ against, show }): { against?: string; show?: string } => ({
    ...(typeof against === 'string' && { against }),
    ...(typeof show === 'string' && { show }),
  }),
  component: lazyRouteComponent(() => import('../rooms/evaluation/run-page.tsx'), 'RunPage'),
})
const traces = createRoute({
  getParentRoute: () => base,
  path: '/traces',
  validateSearch: ({ tab, show }): { tab?: string; show?: string } => ({
    ...(typeof tab === 'string' && { tab }),
    ...(typeof show === 'string' && { show }),
  }),
  component: lazyRouteComponent(() => import('../rooms/traces/traces-page.tsx'), 'TracesPage'),
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
const settings = createRoute({
  getParentRoute: () => base,
  path: '/settings',
  component: lazyRouteComponent(() => import('../rooms/settings/settings-layout.tsx'), 'SettingsLayout'),
})
const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../rooms/settings/general-page.tsx'), 'GeneralPage'),
})
const answerSettings = createRoute({
  getParentRoute: () => settings,
  path: '/answers',
  component: lazyRouteComponent(() => import('../rooms/settings/answers-page.tsx'), 'AnswersPage'),
})
const privacySettings = createRoute({
  getParentRoute: () => settings,
  path: '/privacy',
  component: lazyRouteComponent(() => import('../rooms/settings/privacy-page.tsx'), 'PrivacyPage'),
})
const accessSettings = createRoute({
  getParentRoute: () => settings,
  path: '/access',
  component: lazyRouteComponent(() => import('../rooms/settings/access-page.tsx'), 'AccessPage'),
})
const dangerSettings = createRoute({
  getParentRoute: () => settings,
  path: '/danger',
  component: lazyRouteComponent(() => import('../rooms/settings/danger-page.tsx'), 'DangerPage'),
})

const routeTree = root.addChildren([
  home,
  workspace,
  members,
  activity,
  plan,
  workspaceSettings,
  instance,
  me,
  start,
  assistant,
  base.addChildren([
    overview,
    ask,
    sources,
    newSource,
    source,
    documents,
    document,
    analytics,
    conversations,
    conversation,
    answers,
    gaps,
    gap,
    feedback,
    evaluation,
    evaluationRun,
    traces,
    trace,
    keys,
    ...reachRoutes,
    settings.addChildren([generalSettings, answerSettings, privacySettings, accessSettings, dangerSettings]),
  ]),
])

export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // The screen of another record begins anew: nothing that was typed, chosen or asked on the one before is taken along.
    defaultRemountDeps: ({ params }) => params,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
