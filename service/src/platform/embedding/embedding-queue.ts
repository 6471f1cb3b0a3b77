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
  vectors: Float32Array<ArrayBuffer>[]
}

export interface EmbeddingQueue {
  accept(request: EmbeddingRequest): void
}

/**
 * Lines up what is to be embedded, a text at a time. Between two texts a query goes first, so that it waits for one passage
 * at most; passages of one request follow each other.
 */
export function createEmbeddingQueue(deps: {
  embed: (purpose: EmbeddingPurpose, text: EmbeddingText) => Promise<Float32Array<ArrayBuffer>>
  answer: (reply: EmbeddingReply) => void
}): EmbeddingQueue {
  let jobs: Job[] = []
  let isWorking = false

  const nextJob = () => jobs.find(({ purpose }) => purpose === 'query') ?? jobs[0]

  const finish = (job: Job, reply: EmbeddingReply) => {
    // One that was cancelled meanwhile is no longer in the line, and nobody waits for it.
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
      jobs.push({ id: request.id, purpose: request.purpose, texts: request.texts, vectors: [] })
      void work()
    },
  }
}
