import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router'
import { Fault } from '../ui/fault.tsx'
import { Page } from '../ui/page.tsx'
import { BaseLayout } from './base-layout.tsx'
import { Shell } from './shell.tsx'

/** What is around every screen. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  notFoundComponent: () => (
    <Page title="Page not found" lead="The address may be mistyped, or the page was deleted.">
      <a href="/">To your knowledge bases</a>
    </Page>
  ),
  errorComponent: ({ error, reset }) => (
    <Page title="Something went wrong">
      <Fault error={error} onRetry={reset} />
    </Page>
  ),
})

/** What is around every screen of a knowledge base. */
export const base = createRoute({ getParentRoute: () => root, path: '/kb/$baseId', component: BaseLayout })
