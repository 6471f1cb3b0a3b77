import type {
  EmbeddingPurpose,
  EmbeddingReply,
  EmbeddingRequest,
  EmbeddingText,
} from './embedding-messages.ts'

interface Job {
  id: number
  purpose: EmbeddingPurpose
  texts: readonly EmbeddingText[]
  line: string
  vectors: Float32Array<ArrayBuffer>[]
}

export interface EmbeddingQueue {
  accept(request: Exclude<EmbeddingRequest, { kind: 'end' }>): void
}

/** After this many consecutive queries a passage is served, so that an endless stream of questions does not stop indexing. */
const QUERIES_IN_A_ROW = 8

/** Number of queues whose last turn is remembered. */
const MAX_LINES = 1_000

/**
 * Queues texts for embedding, one at a time. Queries take priority between two texts, so that a query waits for one passage at most.
 * Queues of passages take turns; within a queue the order is first in, first out.
 */
export function createEmbeddingQueue(deps: {
  embed: (purpose: EmbeddingPurpose, text: EmbeddingText) => Promise<Float32Array<ArrayBuffer>>
  answer: (reply: EmbeddingReply) => void
}): EmbeddingQueue {
  let jobs: Job[] = []
  let isWorking = false

  let queriesInARow = 0
  let turn = 0
  const lastTurn = new Map<string, number>()

  /** The first job of the queue that was served longest ago. */
  function nextPassage(): Job | undefined {
    const waiting = jobs.filter(({ purpose }) => purpose === 'passage')
    return waiting.reduce<Job | undefined>((best, job) => {
      if (best === undefined) return job
      return (lastTurn.get(job.line) ?? 0) < (lastTurn.get(best.line) ?? 0) ? job : best
    }, undefined)
  }

  function nextJob(): Job | undefined {
    const query = jobs.find(({ purpose }) => purpose === 'query')
    const passage = query === undefined || queriesInARow >= QUERIES_IN_A_ROW ? nextPassage() : undefined
    const next = passage ?? query
    if (next === undefined) return undefined
    queriesInARow = next === query ? queriesInARow + 1 : 0
    turn += 1
    if (next !== query) {
      lastTurn.delete(next.line)
      lastTurn.set(next.line, turn)
    }
    const [oldest] = lastTurn.size > MAX_LINES ? lastTurn.keys() : []
    if (oldest !== undefined) lastTurn.delete(oldest)
    return next
  }

  const finish = (job: Job, reply: EmbeddingReply) => {
    // A job that was cancelled meanwhile has left the queue; no caller waits for it.
    if (!jobs.includes(job)) return
    jobs = jobs.filter((other) => other !== job)
    deps.answer(reply)
  }

  async function embedNext(job: Job): Promise<void> {
    const text = job.texts[job.vectors.length]
    try {
      if (text !== undefined) job.vectors.push(await deps.embed(job.purpose, text))
    } catch (error) {
      finish(job, {
        kind: 'fault',
        id: job.id,
        message: error instanceof Error ? error.message : String(error),
      })
      return
    }
    if (job.vectors.length === job.texts.length)
      finish(job, { kind: 'embedded', id: job.id, vectors: job.vectors })
  }

  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    for (let job = nextJob(); job !== undefined; job = nextJob()) await embedNext(job)
    isWorking = false
  }

  return {
    accept(request) {
      if (request.kind === 'cancel') {
        jobs = jobs.filter(({ id }) => id !== request.id)
        return
      }
      const { id, purpose, texts, line } = request
      jobs.push({ id, purpose, texts, line, vectors: [] })
      void work()
    },
  }
}
