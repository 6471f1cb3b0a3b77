/**
 * Threads of the service that tests use one after the other, those of one service in a process that runs tests. Each reads its
 * modules before it works, for a third of a second of the processor to a whole one, and a test indexes two or three short pages (measured:
 * the tests of the public API take 40.8 s of the processor instead of 50.8, those of accounts and webhooks 69.4 instead of 90.7).
 */
import { createPreparing } from '../src/content/indexing/indexing.ts'
import type { Preparing } from '../src/content/indexing/preparing.ts'
import { createEmbedder } from '../src/platform/embedding/create-embedder.ts'
import type { Embedder } from '../src/platform/embedding/embedder.ts'

let model: ReturnType<typeof createEmbedder> | undefined
let preparing: Preparing | undefined

/** Divides documents for one user. What it is at when its user ends is ended with it. */
export function createKeptPreparing(): Preparing {
  const { prepare } = (preparing ??= createPreparing())
  const ending = new AbortController()
  return {
    prepare: async (share, task, signal) =>
      await prepare(share, task, AbortSignal.any([signal, ending.signal])),
    close: () => {
      ending.abort(new Error('The service is shutting down.'))
      return Promise.resolve()
    },
  }
}

/** The built-in model. Other models are opened as the service opens them. */
export const createKeptEmbedder: typeof createEmbedder = async (settings, deps) => {
  if (settings.remote !== undefined || settings.localFolder !== undefined)
    return await createEmbedder(settings, deps)
  const created = await (model ??= createEmbedder(settings, deps))
  return created.embedder === undefined ? created : { embedder: lend(created.embedder), reason: undefined }
}

/** For one user. After its end nothing more is computed for it, as by a model that was closed. */
function lend(embedder: Embedder): Embedder {
  let isClosed = false
  const whileOpen =
    <Given extends unknown[], Made>(compute: (...given: Given) => Promise<Made>) =>
    async (...given: Given): Promise<Made> => {
      if (isClosed) throw new Error('The embedding model is closed.')
      return await compute(...given)
    }
  const { compare } = embedder
  return {
    ...embedder,
    embedQuery: whileOpen(embedder.embedQuery),
    embedPassages: whileOpen(embedder.embedPassages),
    embedInParts: whileOpen(embedder.embedInParts),
    ...(compare !== undefined && { compare: whileOpen(compare) }),
    close: () => {
      isClosed = true
      return Promise.resolve()
    },
  }
}
