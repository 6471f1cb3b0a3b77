import type { SurfaceName } from '@citewell/contract/surfaces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { readStanding, type OpenAnswersDb, type Standing } from './open-answers-store.ts'

/** Whose answer it is. */
export interface AnswersFor {
  knowledgeBaseId: string
  /** The key that it was asked with; undefined where a person is signed in, or a help desk asks. */
  asker: { surface: SurfaceName; clientKeyId: string | undefined }
  includeRestricted: boolean
}

/** An answer that is being written. */
export interface OpenAnswer {
  /** Aborted when its reader leaves, and when it may not go on. */
  signal: AbortSignal
  /** Why it may not go on; undefined as long as it may. */
  refusal(): Refusal | undefined
  /** The answer is over. */
  close(): void
}

export interface OpenAnswersDeps {
  db: OpenAnswersDb
  events: Pick<Events, 'listen'>
  /** Told where the bases could not be looked at; the answers go on. */
  report: (fault: unknown, doing: string) => void
}

/** How often bases and keys are looked at while answers are being written: what another process changed ends them too. */
const LOOK_EVERY_MS = 400

interface Watched {
  of: AnswersFor
  stop: AbortController
  refusal: Refusal | undefined
}

/** Why an answer may not go on. A person of the team may ask an internal base; a key, or a stranger who signed in, may not. */
function refusalOf(
  { knowledgeBaseId, asker, includeRestricted }: AnswersFor,
  { bases, liveKeys }: Standing,
): Refusal | undefined {
  const base = bases.get(knowledgeBaseId)
  if (base === undefined) return new Refusal('NOT_FOUND', { because: 'This knowledge base was deleted.' })
  if (base.status === 'archived') return new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  const isOutside = asker.clientKeyId !== undefined || (asker.surface !== 'team' && !includeRestricted)
  if (isOutside && base.type === 'internal') return new Refusal('KNOWLEDGE_BASE_INTERNAL')
  if (asker.clientKeyId === undefined) return undefined
  if (liveKeys.has(asker.clientKeyId)) return undefined
  return new Refusal('UNAUTHENTICATED', { because: 'The client key was revoked.' })
}

/**
 * The answers that this process is writing. Each ends within a second when its base is deleted, archived or turned internal, or its
 * key revoked, by whichever process; at once by this one.
 */
export function createOpenAnswers({ db, events, report }: OpenAnswersDeps) {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const all = [...watched]
    const standing = await readStanding(db, {
      knowledgeBaseIds: [...new Set(all.map(({ of }) => of.knowledgeBaseId))],
      clientKeyIds: [...new Set(all.flatMap(({ of }) => of.asker.clientKeyId ?? []))],
    })
    for (const answer of all) {
      answer.refusal ??= refusalOf(answer.of, standing)
      if (answer.refusal !== undefined) answer.stop.abort(answer.refusal)
    }
  }

  /** Looks again after a time that a look under way is not part of, so that a slow database is not asked twice at once. */
  function lookLater(): void {
    if (timer !== undefined || watched.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      void lookNow()
    }, LOOK_EVERY_MS)
    timer.unref()
  }

  async function lookNow(): Promise<void> {
    // What was read before this moment does not tell of what has just happened.
    await looking
    if (watched.size === 0) return
    looking = look().catch((fault: unknown) => report(fault, 'looking at the bases of open answers'))
    await looking
    lookLater()
  }

  for (const name of ['knowledge-base.closed', 'client-key.revoked'] as const) events.listen(name, lookNow)

  /** Watches over an answer from now on, until it is closed. */
  function open(of: AnswersFor, reader: AbortSignal): OpenAnswer {
    const answer: Watched = { of, stop: new AbortController(), refusal: undefined }
    watched.add(answer)
    lookLater()
    return {
      signal: AbortSignal.any([reader, answer.stop.signal]),
      refusal: () => answer.refusal,
      close: () => {
        watched.delete(answer)
        if (watched.size > 0) return
        clearTimeout(timer)
        timer = undefined
      },
    }
  }

  return { open }
}

export type OpenAnswers = ReturnType<typeof createOpenAnswers>
