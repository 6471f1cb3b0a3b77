import { chunk } from '../chunks/built-in.ts'
import { loadChunk } from '../chunks/load-chunk.ts'
import { given, type Given } from './given.ts'
import { styleAnswers } from './panel-host.ts'
import type { Answers, Shared } from './surroundings.ts'
import type { Store } from './store.ts'

interface AnswersModule {
  makeAnswers(given: Given): Answers
}

/** A failure as the client of the service tells it, while there is no client. */
const NOT_LOADED = {
  name: 'CitewellError',
  code: 'PANEL_NOT_LOADED',
  errorCode: 'unavailable',
  retryable: true,
  message: '',
}

/** Returns what fetches what asks and shows answers: once, and again after a failure. */
export function createLoadAnswers(folder: string, shared: Store<Shared>): () => Promise<Answers> {
  let loading: Promise<Answers> | undefined
  const load = async () => {
    try {
      const { makeAnswers } = await loadChunk<AnswersModule>(folder, chunk('answers'))
      const answers = makeAnswers(given)
      styleAnswers(answers.css)
      shared.set({ answers })
      return answers
    } catch (fault) {
      console.warn('Citewell: PANEL_NOT_LOADED', fault)
      loading = undefined
      shared.set({ answers: 'failed' })
      throw NOT_LOADED
    }
  }
  return () => (loading ??= load())
}
