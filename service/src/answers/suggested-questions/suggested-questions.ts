import { LIMITS } from '@citewell/contract/limits'
import { z } from 'zod'
import { isGeneratedListing } from '../../content/addresses/addresses.ts'
import type { Search } from '../../content/search/search.ts'
import { chooseQuestions, type ChosenQuestion } from './choose-questions.ts'
import {
  findStillPublic,
  readBase,
  readGenerated,
  readProse,
  readPublicDocuments,
  readQuestionHeadings,
  readPagesFingerprint,
  saveGenerated,
  type SuggestedQuestionsDb,
} from './suggested-questions-store.ts'
import { writeCandidates, type Candidate } from './write-candidates.ts'

export { refreshQuestionsOnChange } from './refresh-questions-on-change.ts'

export interface SuggestedQuestionsDeps {
  db: SuggestedQuestionsDb
  search: Pick<Search, 'findPages'>
  now: () => Date
  /** Aborts running generation when the service shuts down. */
  stopping: AbortSignal
}

/** How many are stored, so that one whose page becomes restricted can be replaced immediately. */
const MAX_STORED = 12
const MAX_DOCUMENTS = 4_000
const MAX_HEADINGS = 500
/** How many pages are sampled to learn the case of words. */
const PROSE_DOCUMENTS = 300
const REFRESH_AFTER_MS = 24 * 60 * 60 * 1_000
/** Checking the pages takes at most one part in this many of the time, and no change is missed for longer than this. */
const CHECK_SHARE = 50
const MAX_UNNOTICED_MS = 5_000

/** The stored value: with the page of each question, so that each read can check whether it is still public. */
const Generated = z.array(z.object({ question: z.string(), documentId: z.string() }))

export function createSuggestedQuestions({ db, search, now, stopping }: SuggestedQuestionsDeps) {
  const running = new Map<string, { done: Promise<void>; isWantedAgain: boolean }>()
  /** When the pages of a base may be checked again, by `performance.now()`. */
  const nextCheck = new Map<string, number>()

  /**
   * Questions to offer to a reader, by the setting of the base: its own list, none, or generated from public pages.
   *
   * @param groupIds only from sources of these groups; `undefined` for all of them
   */
  async function list(knowledgeBaseId: string, groupIds: readonly string[] | undefined): Promise<string[]> {
    const base = await readBase(db, knowledgeBaseId)
    const mode = base?.starter_questions.mode ?? 'none'
    if (mode === 'none') return []
    if (mode === 'own') return base?.starter_questions.questions ?? []
    let generated = (await readGenerated(db, knowledgeBaseId)) ?? (await generateNow(knowledgeBaseId))
    if (generated === undefined) return []
    const isOutdated = await havePagesChanged(knowledgeBaseId, generated.made_from)
    if (isOutdated && Generated.catch([]).parse(generated.questions).length === 0) {
      // There was nothing to ask about, and there may be now: worth waiting for.
      generated = (await generateNow(knowledgeBaseId)) ?? generated
    }
    const age = now().getTime() - generated.made_at.getTime()
    // This reader gets the current list without waiting; the next one gets the refreshed list.
    if (isOutdated || age > REFRESH_AFTER_MS) refresh(knowledgeBaseId).catch(() => {})
    const kept = Generated.catch([]).parse(generated.questions)
    const ids = kept.map(({ documentId }) => documentId)
    const readable = await findStillPublic(db, knowledgeBaseId, ids, groupIds)
    return [...new Set(kept.flatMap((one) => (readable.has(one.documentId) ? [one.question] : [])))].slice(
      0,
      LIMITS.generatedQuestions,
    )
  }

  /** Whether the pages differ from those that the questions were written from. Read from the database, for changes by any process. */
  async function havePagesChanged(knowledgeBaseId: string, madeFrom: string): Promise<boolean> {
    const startedAt = performance.now()
    for (const [id, at] of nextCheck) if (at < startedAt) nextCheck.delete(id)
    if (nextCheck.has(knowledgeBaseId)) return false
    const state = await readPagesFingerprint(db, knowledgeBaseId)
    const now = performance.now()
    nextCheck.set(knowledgeBaseId, now + Math.min(MAX_UNNOTICED_MS, (now - startedAt) * CHECK_SHARE))
    return state !== madeFrom
  }

  async function generateNow(knowledgeBaseId: string) {
    await refresh(knowledgeBaseId)
    return await readGenerated(db, knowledgeBaseId)
  }

  /** Rewrites the questions of a base. A request while it is running makes it run once more afterwards. */
  function refresh(knowledgeBaseId: string): Promise<void> {
    const already = running.get(knowledgeBaseId)
    if (already !== undefined) {
      already.isWantedAgain = true
      return already.done
    }
    const run = { done: Promise.resolve(), isWantedAgain: false }
    run.done = (async () => {
      try {
        do {
          run.isWantedAgain = false
          await generate(knowledgeBaseId)
        } while (run.isWantedAgain && !stopping.aborted)
      } finally {
        running.delete(knowledgeBaseId)
      }
    })()
    running.set(knowledgeBaseId, run)
    return run.done
  }

  async function generate(knowledgeBaseId: string): Promise<void> {
    const base = await readBase(db, knowledgeBaseId)
    if (base === undefined || base.starter_questions.mode !== 'generated') return
    // Read before the pages: a change meanwhile is detected afterwards.
    const from = await readPagesFingerprint(db, knowledgeBaseId)
    const documents = (await readPublicDocuments(db, knowledgeBaseId, MAX_DOCUMENTS)).filter(
      ({ url }) => !isGeneratedListing(url),
    )
    const candidates = writeCandidates({
      baseName: base.name,
      language: base.language ?? undefined,
      documents,
      headings: await readQuestionHeadings(db, knowledgeBaseId, MAX_HEADINGS),
      prose: await readProse(
        db,
        knowledgeBaseId,
        spreadEvenly(documents, PROSE_DOCUMENTS).map(({ documentId }) => documentId),
      ),
    })
    const findAnswer = answerFinder(knowledgeBaseId, base.language ?? undefined)
    const questions = await chooseQuestions(candidates, MAX_STORED, (question) =>
      findAnswer(question, undefined),
    )
    // A key that is limited to some groups is offered what those answer.
    for (const groupId of new Set(documents.flatMap((document) => document.groupId ?? []))) {
      questions.push(
        ...(await chooseQuestions(ofGroup(candidates, groupId), LIMITS.generatedQuestions, (question) =>
          findAnswer(question, groupId),
        )),
      )
    }
    stopping.throwIfAborted()
    await saveGenerated(db, knowledgeBaseId, withoutDuplicates(questions), { from, at: now() })
  }

  function answerFinder(knowledgeBaseId: string, language: string | undefined) {
    return async (question: string, groupId: string | undefined): Promise<string | undefined> => {
      const { passages } = await search.findPages({
        knowledgeBaseId,
        query: question,
        language,
        groupIds: groupId === undefined ? undefined : [groupId],
        includeRestricted: false,
        limit: 1,
        signal: stopping,
      })
      return passages[0]?.documentId
    }
  }

  /** The pages changed in this process: check again at the next request, however recent the last check was. */
  const noticeChange = (knowledgeBaseId: string): void => void nextCheck.delete(knowledgeBaseId)

  return { list, refresh, noticeChange }
}

export type SuggestedQuestions = ReturnType<typeof createSuggestedQuestions>

function ofGroup(candidates: readonly Candidate[], groupId: string): Candidate[] {
  return candidates.flatMap((candidate) => {
    const documents = candidate.documents.filter((document) => document.groupId === groupId)
    return documents.length === 0 ? [] : [{ ...candidate, documents }]
  })
}

const withoutDuplicates = (questions: readonly ChosenQuestion[]): ChosenQuestion[] => [
  ...new Map(questions.map((one) => [`${one.documentId} ${one.question}`, one])).values(),
]

/** At most this many items of a list, spread spreadEvenly. */
function spreadEvenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.ceil(items.length / most))
  return items.filter((_, index) => index % step === 0)
}
