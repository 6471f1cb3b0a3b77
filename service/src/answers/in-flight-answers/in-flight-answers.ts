import type { SurfaceName } from '@citewell/contract/surfaces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { readStatus, type CurrentStatus, type InFlightAnswersDb } from './in-flight-answers-store.ts'

/** The base and asker of an answer. */
export interface AnswerOwner {
  knowledgeBaseId: string
  /** The client key that it was asked with; undefined for a signed-in person or a help desk. */
  asker: { surface: SurfaceName; clientKeyId: string | undefined }
  includeRestricted: boolean
  /** Whether the person may still ask: members are removed, and tokens revoked. Undefined: the base and the key alone decide. */
  isStillAllowed?: (() => Promise<boolean>) | undefined
}

/** An answer that is being written, until it is disposed of. */
export interface InFlightAnswer extends Disposable {
  /** Aborted when its reader disconnects, and when its base, its key, its asker or one of its pages is no longer allowed. */
  signal: AbortSignal
  /** From here on it also ends when one of these documents is deleted, or hidden from its asker. */
  uses(documentIds: readonly string[]): void
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

/** Each how many polls it is asked for each person whether they may still ask: some statements for each answer. */
const POLLS_PER_LOOK = 3

interface Watched {
  of: AnswerOwner
  documentIds: readonly string[]
  stop: AbortController
  refusal: Refusal | undefined
}

const noLongerAllowed = () =>
  new Refusal('FORBIDDEN', { because: 'You may no longer ask this knowledge base.' })

const withdrawn = () =>
  new Refusal('UNAVAILABLE', {
    because: 'A page that this answer used was withdrawn while it was written. Ask again.',
  })

/** Why an answer must end. A member may ask an internal base; a client key, or a stranger who signed in, may not. */
function refusalOf(
  { of: { knowledgeBaseId, asker, includeRestricted }, documentIds }: Watched,
  { bases, liveKeys, documents }: CurrentStatus,
): Refusal | undefined {
  const base = bases.get(knowledgeBaseId)
  if (base === undefined) return new Refusal('NOT_FOUND', { because: 'This knowledge base was deleted.' })
  if (base.status === 'archived') return new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  const isNotMember = asker.clientKeyId !== undefined || (asker.surface !== 'team' && !includeRestricted)
  if (isNotMember && base.type === 'internal') return new Refusal('KNOWLEDGE_BASE_INTERNAL')
  if (asker.clientKeyId !== undefined && !liveKeys.has(asker.clientKeyId))
    return new Refusal('UNAUTHENTICATED', { because: 'The client key was revoked.' })
  const mayUse = (id: string) => documents.get(id) === 'public' || (includeRestricted && documents.has(id))
  return documentIds.every(mayUse) ? undefined : withdrawn()
}

/**
 * The in-flight answers of this process. Each ends within a second when its base is deleted, archived or made internal, its key revoked,
 * or a page that it uses deleted or restricted, by any process; and within two when its asker may no longer ask. Immediately where this
 * process closed the base or revoked the key.
 */
export function createInFlightAnswers({ db, events, report }: InFlightAnswersDeps) {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let polls = 0

  async function poll(): Promise<void> {
    // As they are now: pages that an answer uses from now on are not in what is read.
    const all = [...watched].map((answer) => ({ ...answer, answer }))
    const current = await readStatus(db, {
      knowledgeBaseIds: [...new Set(all.map(({ of }) => of.knowledgeBaseId))],
      clientKeyIds: [...new Set(all.flatMap(({ of }) => of.asker.clientKeyId ?? []))],
      documentIds: [...new Set(all.flatMap(({ documentIds }) => documentIds))],
    })
    for (const { answer, ...asLooked } of all) end(answer, refusalOf(asLooked, current))
    polls += 1
    if (polls % POLLS_PER_LOOK === 0) await lookAtAskers(all.map(({ answer }) => answer))
  }

  function end(answer: Watched, refusal: Refusal | undefined): void {
    answer.refusal ??= refusal
    if (answer.refusal !== undefined) answer.stop.abort(answer.refusal)
  }

  /** One after the other: there may be hundreds, and the embedded database has one session. */
  async function lookAtAskers(all: readonly Watched[]): Promise<void> {
    for (const answer of all) {
      const { isStillAllowed } = answer.of
      if (isStillAllowed === undefined || !watched.has(answer)) continue
      if (!(await isStillAllowed())) end(answer, noLongerAllowed())
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
    const answer: Watched = { of, documentIds: [], stop: new AbortController(), refusal: undefined }
    watched.add(answer)
    schedulePoll()
    return {
      signal: AbortSignal.any([reader, answer.stop.signal]),
      refusal: () => answer.refusal,
      uses: (documentIds) => {
        answer.documentIds = documentIds
      },
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
