import { parentPort } from 'node:worker_threads'
import {
  createTokenCounter,
  type CountTokens,
  type TokenCounting,
} from '../../platform/embedding/token-counter.ts'
import { IndexFailure } from './index-failure.ts'
import { preparePassages } from './prepare-passages.ts'
import type { PreparingAnswer, PreparingTask } from './preparing-messages.ts'

const port = parentPort
if (port === null) throw new Error('preparing-worker.ts runs in a worker thread only')

/** Passages of one message: some milliseconds for the receiver. */
const BATCH_SIZE = 100

const counters = new Map<string, Promise<CountTokens>>()

function counterOf(counting: TokenCounting): Promise<CountTokens> {
  const key = JSON.stringify(counting)
  const counter = counters.get(key) ?? createTokenCounter(counting)
  counters.set(key, counter)
  return counter
}

const answer = (message: PreparingAnswer) => port.postMessage(message)

async function prepare({ document, language, counting, maxTokens }: PreparingTask): Promise<void> {
  try {
    const countTokens = await counterOf(counting)
    const { passages, pageTerms } = preparePassages(document, language, { countTokens, maxTokens })
    for (let start = 0; start < passages.length; start += BATCH_SIZE)
      answer({ kind: 'passages', passages: passages.slice(start, start + BATCH_SIZE) })
    answer({ kind: 'done', pageTerms })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answer({
      kind: 'failed',
      reason: error instanceof IndexFailure ? message : `It could not be divided into passages: ${message}`,
    })
  }
}

port.on('message', (task: PreparingTask) => void prepare(task))
