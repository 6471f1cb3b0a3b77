import type {
  EvaluationQuestionChange,
  ImportedEvaluationQuestions,
  ImportEvaluationQuestions,
  NewEvaluationQuestion,
} from '@citewell/contract/evaluations'
import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  findQuestion,
  insertQuestions,
  listQuestions,
  lockSet,
  readRatedUp,
  readSet,
  updateQuestion,
  type EvaluationQuestionRow,
  type EvaluationSetDb,
} from './evaluation-set-store.ts'
import { readQuestionLines } from './read-question-lines.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'

export interface EvaluationSetDeps {
  db: EvaluationSetDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  newId: () => string
  now: () => Date
}

const limits = LIMITS.evaluation
const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such question.' })
const isFull = () =>
  new Refusal('CONFLICT', {
    because: `The evaluation set of a knowledge base has at most ${limits.questions} questions. Delete some first.`,
  })

const wordsOf = (question: string) => question.trim().toLowerCase()

/** The questions with which a team measures its base, for members with Config on it. */
export function createEvaluationSet({ db, knowledgeBases, addressOf, newId, now }: EvaluationSetDeps) {
  const rowOf = (knowledgeBaseId: string, given: NewEvaluationQuestion): EvaluationQuestionRow => ({
    knowledge_base_id: knowledgeBaseId,
    id: newId(),
    ...given,
    created_at: now(),
    updated_at: now(),
  })

  /**
   * Adds those questions that the set does not have.
   *
   * @throws Refusal CONFLICT where all are wanted, and there is not room for all
   */
  async function add(
    knowledgeBaseId: string,
    given: { questions: readonly NewEvaluationQuestion[]; fits: 'all' | 'as many as fit' },
  ): Promise<ImportedEvaluationQuestions> {
    return await db.transaction().execute(async (transaction: EvaluationSetDb) => {
      await lockSet(transaction, knowledgeBaseId)
      const set = await readSet(transaction, knowledgeBaseId)
      const known = new Set(set.map(({ question }) => wordsOf(question)))
      const unknown = given.questions.filter(({ question }) => {
        const words = wordsOf(question)
        if (known.has(words)) return false
        known.add(words)
        return true
      })
      const room = limits.questions - set.length
      if (unknown.length > room && given.fits === 'all') throw isFull()
      const added = unknown.slice(0, Math.max(0, room))
      await insertQuestions(
        transaction,
        added.map((question) => rowOf(knowledgeBaseId, question)),
      )
      return {
        added: added.length,
        known: given.questions.length - unknown.length,
        total: set.length + added.length,
      }
    })
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest,
  ): Promise<EvaluationQuestionRow[]> {
    const { id } = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await listQuestions(db, { ...page, knowledgeBaseId: id })
  }

  /** @throws Refusal CONFLICT if the set is full */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewEvaluationQuestion,
  ): Promise<EvaluationQuestionRow> {
    const { id } = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row = rowOf(id, given)
    await db.transaction().execute(async (transaction: EvaluationSetDb) => {
      await lockSet(transaction, id)
      if ((await readSet(transaction, id)).length >= limits.questions) throw isFull()
      await insertQuestions(transaction, [row])
    })
    return row
  }

  async function open(
    caller: Caller,
    id: string,
    how: 'open' | 'openActive',
  ): Promise<EvaluationQuestionRow> {
    const row = await findQuestion(db, id)
    if (row === undefined) throw notFound()
    await knowledgeBases[how](caller, row.knowledge_base_id, 'config')
    return row
  }

  async function change(
    caller: Caller,
    id: string,
    changes: EvaluationQuestionChange,
  ): Promise<EvaluationQuestionRow> {
    const row = await open(caller, id, 'openActive')
    const changed = {
      question: changes.question ?? row.question,
      urls: changes.urls ?? row.urls,
      answerable: changes.answerable ?? row.answerable,
      updated_at: now(),
    }
    await updateQuestion(db, row, changed)
    return { ...row, ...changed }
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const row = await open(caller, id, 'open')
    await deleteRecord(db, 'evaluation_questions', { knowledgeBaseId: row.knowledge_base_id, id })
  }

  /** @throws Refusal BAD_REQUEST with the lines that are no questions; CONFLICT if the set would have too many */
  async function importQuestions(
    caller: Caller,
    knowledgeBaseId: string,
    given: ImportEvaluationQuestions,
  ): Promise<ImportedEvaluationQuestions> {
    const { id } = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (given.format !== 'ratings') return await add(id, { questions: readQuestionLines(given), fits: 'all' })
    const rated = await readRatedUp(db, { knowledgeBaseId: id, most: limits.questions })
    const questions = rated.map(({ query, pages }) => ({
      question: query.slice(0, limits.question),
      urls: pages
        .slice(0, limits.urls)
        .map((page) => addressOf({ url: page.url, documentId: page.document_id })),
      answerable: true,
    }))
    return await add(id, { questions, fits: 'as many as fit' })
  }

  return { list, create, change, remove, importQuestions }
}

export type EvaluationSet = ReturnType<typeof createEvaluationSet>
