import { z } from 'zod'
import type { Search } from '../../content/search/search.ts'
import { chooseQuestions, type ChosenQuestion } from './choose-questions.ts'
import {
  findStillPublic,
  readBase,
  readGenerated,
  readProse,
  readPublicDocuments,
  readQuestionHeadings,
  readStateOfPages,
  saveGenerated,
  type SuggestedQuestionsDb,
} from './suggested-questions-store.ts'
import { writeCandidates, type Candidate } from './write-candidates.ts'

export interface SuggestedQuestionsDeps {
  db: SuggestedQuestionsDb
  search: Pick<Search, 'findPages'>
  now: () => Date
  /** Ends what is being written when the service shuts down. */
  stopping: AbortSignal
}

/** Questions offered at once. */
const OFFERED = 4
/** Kept in store, so that one whose page turns restricted is replaced at once. */
const KEPT = 12
const MOST_DOCUMENTS = 4_000
const MOST_HEADINGS = 500
/** Pages whose beginnings tell how words are written. */
const PROSE_DOCUMENTS = 300
const REFRESH_AFTER_MS = 24 * 60 * 60 * 1_000
/** Looking at the state of the pages takes at most one part in so many of the time, and no change is overlooked for longer than this. */
const LOOKING_SHARE = 50
const LONGEST_UNSEEN_MS = 5_000

/** What the table holds: the page of each question is kept, to be asked at every reading whether it is public still. */
const Generated = z.array(z.object({ question: z.string(), documentId: z.string() }))

export function createSuggestedQuestions({ db, search, now, stopping }: SuggestedQuestionsDeps) {
  const running = new Map<string, { done: Promise<void>; isWantedAgain: boolean }>()
  /** When the pages of a base are looked at again, by `performance.now()`. */
  const nextLook = new Map<string, number>()

  /**
   * Questions to offer to a reader, as the base is set: its own list, none, or generated from public pages.
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
    const isOutdated = await arePagesOthers(knowledgeBaseId, generated.made_from)
    if (isOutdated && Generated.catch([]).parse(generated.questions).length === 0) {
      // Nothing was there to ask about, and now there may be: worth waiting for.
      generated = (await generateNow(knowledgeBaseId)) ?? generated
    }
    const age = now().getTime() - generated.made_at.getTime()
    // The reader is not kept waiting for a fresher list: whoever comes next gets it.
    if (isOutdated || age > REFRESH_AFTER_MS) refresh(knowledgeBaseId).catch(() => {})
    const kept = Generated.catch([]).parse(generated.questions)
    const ids = kept.map(({ documentId }) => documentId)
    const readable = await findStillPublic(db, knowledgeBaseId, ids, groupIds)
    return [...new Set(kept.flatMap((one) => (readable.has(one.documentId) ? [one.question] : [])))].slice(
      0,
      OFFERED,
    )
  }

  /** Whether the pages are others than those that the questions were written from: asked of the database, whichever process changed them. */
  async function arePagesOthers(knowledgeBaseId: string, madeFrom: string): Promise<boolean> {
    const startedAt = performance.now()
    for (const [id, at] of nextLook) if (at < startedAt) nextLook.delete(id)
    if (nextLook.has(knowledgeBaseId)) return false
    const state = await readStateOfPages(db, knowledgeBaseId)
    const now = performance.now()
    nextLook.set(knowledgeBaseId, now + Math.min(LONGEST_UNSEEN_MS, (now - startedAt) * LOOKING_SHARE))
    return state !== madeFrom
  }

  async function generateNow(knowledgeBaseId: string) {
    await refresh(knowledgeBaseId)
    return await readGenerated(db, knowledgeBaseId)
  }

  /** Writes the questions of a base anew. Asked for while it is at it, it does so once more afterwards. */
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
    // Before the pages are read: what changes meanwhile is noticed afterwards.
    const from = await readStateOfPages(db, knowledgeBaseId)
    const documents = await readPublicDocuments(db, knowledgeBaseId, MOST_DOCUMENTS)
    const candidates = writeCandidates({
      baseName: base.name,
      documents,
      headings: await readQuestionHeadings(db, knowledgeBaseId, MOST_HEADINGS),
      prose: await readProse(
        db,
        knowledgeBaseId,
        evenly(documents, PROSE_DOCUMENTS).map(({ documentId }) => documentId),
      ),
    })
    const findAnswer = answerFinder(knowledgeBaseId, base.language ?? undefined)
    const questions = await chooseQuestions(candidates, KEPT, (question) => findAnswer(question, undefined))
    // A key that may use some groups only is offered what those answer.
    for (const groupId of new Set(documents.flatMap((document) => document.groupId ?? []))) {
      questions.push(
        ...(await chooseQuestions(ofGroup(candidates, groupId), OFFERED, (question) =>
          findAnswer(question, groupId),
        )),
      )
    }
    stopping.throwIfAborted()
    await saveGenerated(db, knowledgeBaseId, withoutRepeats(questions), { from, at: now() })
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

  /** Pages have changed in this process: it is looked at once more, however lately it was. */
  const noticeChange = (knowledgeBaseId: string): void => void nextLook.delete(knowledgeBaseId)

  return { list, refresh, noticeChange }
}

export type SuggestedQuestions = ReturnType<typeof createSuggestedQuestions>

function ofGroup(candidates: readonly Candidate[], groupId: string): Candidate[] {
  return candidates.flatMap((candidate) => {
    const documents = candidate.documents.filter((document) => document.groupId === groupId)
    return documents.length === 0 ? [] : [{ ...candidate, documents }]
  })
}

const withoutRepeats = (questions: readonly ChosenQuestion[]): ChosenQuestion[] => [
  ...new Map(questions.map((one) => [`${one.documentId} ${one.question}`, one])).values(),
]

/** At most so many of a list, spread over all of it. */
function evenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.ceil(items.length / most))
  return items.filter((_, place) => place % step === 0)
}
