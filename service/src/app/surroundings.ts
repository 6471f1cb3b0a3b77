import type { ChatSocketDeps } from '../channels/public-api/chat-socket.ts'
import type { SourceTimer } from '../content/connectors/connectors.ts'
import { createPreparing } from '../content/indexing/indexing.ts'
import { createParsing } from '../content/parsing/parsing.ts'
import { newId } from '../kernel/ids.ts'
import { createEmbedder } from '../platform/embedding/create-embedder.ts'
import type { SocketTimes } from '../platform/http/socket.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createOpenAiCompatibleModel } from '../platform/llm/openai-compatible-model.ts'
import { openDashboardFolder } from '../channels/dashboard/dashboard.ts'
import { openWidgetFolder } from '../channels/widget-files/widget-files.ts'

/** What the service takes from outside of itself. Tests replace a part (a clock that they move, a queue that they empty). */
export interface Surroundings {
  /** The clock of this process. The rooms get that of the database, which follows it (`database-clock.ts`). */
  now: () => Date
  newId: () => string
  /** Opens the embedding model that the settings name. */
  createEmbedder: typeof createEmbedder
  /** The processes that parse documents. */
  createParsing: typeof createParsing
  /** The thread that divides documents into passages. */
  createPreparing: typeof createPreparing
  /** The queue of background work. */
  createJobs: typeof createJobs
  /** Opens the language model that the settings name. */
  createModel: typeof createOpenAiCompatibleModel
  /** The folder with the built widget. */
  openWidgetFolder: typeof openWidgetFolder
  /** The folder with the built dashboard. */
  openDashboardFolder: typeof openDashboardFolder
  /** Times of WebSockets; undefined: those of the contract. */
  socketTimes: SocketTimes | undefined
  chatSocketSeconds: ChatSocketDeps['seconds'] | undefined
  /** Where the API of a product is (by type of source), instead of at its maker's. */
  apiOrigins: Partial<Record<string, string>>
  /** The time of the connectors of products, which wait as long as an API asks for; undefined: the real one. */
  sourceTimer: SourceTimer | undefined
  /** Every response is checked against its schema: for tests, because it costs time. */
  validatesResponses: boolean
}

export const REAL_SURROUNDINGS: Surroundings = {
  now: () => new Date(),
  newId,
  createEmbedder,
  createParsing,
  createPreparing,
  createJobs,
  createModel: createOpenAiCompatibleModel,
  openWidgetFolder,
  openDashboardFolder,
  socketTimes: undefined,
  chatSocketSeconds: undefined,
  apiOrigins: {},
  sourceTimer: undefined,
  validatesResponses: false,
}
