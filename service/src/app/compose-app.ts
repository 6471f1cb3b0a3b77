import { join } from 'node:path'
import type { Hono } from 'hono'
import { createConnectSourceRoutes } from '../channels/connect-sources/connect-sources-routes.ts'
import { createDashboardFiles } from '../channels/dashboard/dashboard.ts'
import { createDashboardRoutes } from '../channels/dashboard/dashboard-routes.ts'
import { createHomeRoutes } from '../channels/home/home-routes.ts'
import { createDemoRoutes } from '../channels/widget-files/demo-routes.ts'
import type { PublicLimitsDeps } from '../channels/public-api/public-api.ts'
import { createWidgetFiles } from '../channels/widget-files/widget-files.ts'
import { createWidgetFileRoutes } from '../channels/widget-files/widget-files-routes.ts'
import { addBrowserFiles } from '../platform/http/browser-files.ts'
import { createHttpApp, type HttpAppDeps, type HttpEnv } from '../platform/http/http-app.ts'
import { createReferenceRoutes } from '../platform/http/reference/reference-routes.ts'
import type { composeMcp } from './compose-mcp.ts'
import { composePages } from './compose-pages.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'
import type { Rooms } from './compose-rooms.ts'
import type { composeSignIn } from './compose-sign-in.ts'
import type { RoomParts } from './room-parts.ts'
import { isLoopback } from './settings.ts'
import { VERSION } from './version.ts'

export interface ComposeAppInput
  extends ComposeInput, Required<Pick<HttpAppDeps, 'routes' | 'openStreams' | 'isStopping' | 'onAnswered'>> {
  platform: Platform
  rooms: Rooms
  signIn: ReturnType<typeof composeSignIn>
  mcp: ReturnType<typeof composeMcp>
  publicLimits: PublicLimitsDeps
  report: RoomParts['report']
  /** Aborted when the service ends: builds of the widget and the dashboard end with it. */
  stopping: AbortSignal
  publicUrl: () => string
}

/** All that is answered over HTTP: the API and the pages for browsers. */
export function composeApp(input: ComposeAppInput) {
  const { settings, storage, dataDirectory, log, surroundings, platform, rooms, signIn, mcp } = input
  const { routes, publicLimits, stopping, publicUrl } = input
  const { db } = storage
  const isLocal =
    isLoopback(settings.host) && settings.publicUrl === undefined && settings.captcha === undefined
  const report = (fault: unknown, what: string) => log.warn({ err: fault }, what)
  const widgetFiles = createWidgetFiles({
    openFolder: () => surroundings.openWidgetFolder({ signal: stopping, report }),
    keptIn: join(dataDirectory, 'widget'),
    report,
  })
  const dashboardFiles = createDashboardFiles({
    openFolder: () => surroundings.openDashboardFolder({ signal: stopping, report }),
    report,
  })
  const app: Hono<HttpEnv> = createHttpApp({
    log,
    publicUrl: publicUrl(),
    routes,
    openStreams: input.openStreams,
    isStopping: input.isStopping,
    onAnswered: input.onAnswered,
    pages: [
      addBrowserFiles,
      createDashboardRoutes({ files: dashboardFiles, browserSessions: signIn.browserSessions }),
      createHomeRoutes({
        ...publicLimits,
        db,
        clientKeys: rooms.clientKeys,
        questions: rooms.publicQuestions,
        answering: rooms.answering,
        suggestedQuestions: rooms.suggestedQuestions,
        anonymousCsrf: signIn.anonymousCsrf,
        isLocal,
        publicUrl,
      }),
      createReferenceRoutes({
        endpoints: routes.map(({ endpoint }) => endpoint),
        publicUrl,
        version: VERSION,
      }),
      createWidgetFileRoutes(widgetFiles),
      createDemoRoutes({ db, isLocal, publicUrl }),
      createConnectSourceRoutes({
        connections: rooms.sourceConnections,
        browserSessions: signIn.browserSessions,
        report: input.report,
      }),
      ...mcp.pages,
      ...signIn.pages,
      ...composePages({ storage, platform, rooms, rateLimits: publicLimits.rateLimits, ...signIn }),
    ],
  })
  return {
    app,
    /** Builds the widget and the dashboard in the background, if they have to be built. */
    prepareFiles: () => {
      widgetFiles.prepare()
      dashboardFiles.prepare()
    },
  }
}
