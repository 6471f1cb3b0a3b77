import type { SurfaceName } from '@citewell/contract/surfaces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { readStatus, type InFlightAnswersDb, type BaseAndKeyStatus } from './in-flight-answers-store.ts'

/** The base and asker of an answer. */
export interface AnswerOwner {
  knowledgeBaseId: string
  /** The client key that it was asked with; undefined for a signed-in person or a help desk. */
  asker: { surface: SurfaceName; clientKeyId: string | undefined }
  includeRestricted: boolean
}

/** An answer that is being written, until it is disposed of. */
export interface InFlightAnswer extends Disposable {
  /** Aborted when its reader disconnects, and when its base or key is closed. */
  signal: AbortSignal
  /** Why the service aborted it; undefined while it may continue. */
  refusal(): Refusal | undefined
}

export interface InFlightAnswersDeps {
  db: InFlightAnswersDb
  events: Pick<Events, 'listen'>
  /** Called when the status of the bases could not be read; the answers continue. */
  report: (error: unknown, activity: string) => void
}

/** How often the status of bases and keys is polled while answers are written, to notice changes by other processes. */
const POLL_INTERVAL_MS = 400

interface Watched {
  of: AnswerOwner
  stop: AbortController
  refusal: Refusal | undefined
}

/** Why an answer must end. A member may ask an internal base; a client key, or a stranger who signed in, may not. */
function refusalOf(
  { knowledgeBaseId, asker, includeRestricted }: AnswerOwner,
  { bases, liveKeys }: BaseAndKeyStatus,
): Refusal | undefined {
  const base = bases.get(knowledgeBaseId)
  if (base === undefined) return new Refusal('NOT_FOUND', { because: 'This knowledge base was deleted.' })
  if (base.status === 'archived') return new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  const isNotMember = asker.clientKeyId !== undefined || (asker.surface !== 'team' && !includeRestricted)
  if (isNotMember && base.type === 'internal') return new Refusal('KNOWLEDGE_BASE_INTERNAL')
  if (asker.clientKeyId === undefined) return undefined
  if (liveKeys.has(asker.clientKeyId)) return undefined
  return new Refusal('UNAUTHENTICATED', { because: 'The client key was revoked.' })
}

/**
 * The in-flight answers of this process. Each ends within a second when its base is deleted, archived or made internal, or its
 * key revoked, by any process; immediately if it was this one.
 */
export function createInFlightAnswers({ db, events, report }: InFlightAnswersDeps) {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined

  async function poll(): Promise<void> {
    const all = [...watched]
    const current = await readStatus(db, {
      knowledgeBaseIds: [...new Set(all.map(({ of }) => of.knowledgeBaseId))],
      clientKeyIds: [...new Set(all.flatMap(({ of }) => of.asker.clientKeyId ?? []))],
    })
    for (const answer of all) {
      answer.refusal ??= refusalOf(answer.of, current)
      if (answer.refusal !== undefined) answer.stop.abort(answer.refusal)
    }
  }

  /** Schedules the next poll after the current one, so that a slow database never gets two at the same time. */
  function schedulePoll(): void {
    if (timer !== undefined || watched.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      void pollNow()
    }, POLL_INTERVAL_MS)
    timer.unref()
  }

  async function pollNow(): Promise<void> {
    // A poll that is already running may have read the status before the change.
    await polling
    if (watched.size === 0) return
    polling = poll().catch((error: unknown) => report(error, 'polling the bases of in-flight answers'))
    await polling
    schedulePoll()
  }

  for (const name of ['knowledge-base.closed', 'client-key.revoked'] as const) events.listen(name, pollNow)

  /** Watches an answer until it has ended. */
  function open(of: AnswerOwner, reader: AbortSignal): InFlightAnswer {
    const answer: Watched = { of, stop: new AbortController(), refusal: undefined }
    watched.add(answer)
    schedulePoll()
    return {
      signal: AbortSignal.any([reader, answer.stop.signal]),
      refusal: () => answer.refusal,
      [Symbol.dispose]: () => {
        watched.delete(answer)
        if (watched.size > 0) return
        clearTimeout(timer)
        timer = undefined
      },
    }
  }

  return { open }
}

export type InFlightAnswers = ReturnType<typeof createInFlightAnswers>
