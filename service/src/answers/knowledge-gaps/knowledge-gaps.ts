import type { ExportedGaps, GapsQuery, KnowledgeGapChange } from '@citewell/contract/knowledge-gaps'
import { LIMITS } from '@citewell/contract/limits'
import type {
  BaseHooks,
  KnowledgeBaseRow,
  KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import { hasZeroRetention } from '../../accounts/workspaces/workspaces.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { wrongField } from '../../kernel/refusal.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import {
  groupQuestions,
  rangeBefore,
  readDayRange,
  SAME_TOPIC,
  type FoundGaps,
  type InRange,
  type QuestionVectors,
} from '../analytics/analytics.ts'
import { pagesReadableBy } from '../conversations/conversations.ts'
import type { Traces } from '../traces/traces.ts'
import { closestPages, foundPages } from './closest-pages.ts'
import { findGaps } from './find-gaps.ts'
import { markdownFiles } from './gap-files.ts'
import {
  changeGap,
  countQuestions,
  hasCustomAnswer,
  readGaps,
  readMembers,
  reopenGaps,
  saveReplay,
  type GapRow,
  type KnowledgeGapsDb,
} from './knowledge-gaps-store.ts'
import { presentGap } from './present-gap.ts'
import type { ListedGap, WholeGap } from './shown-gaps.ts'
import { replayMembers, type ReplayCounts } from './replay-members.ts'
import { writeIfPossible } from './write-if-possible.ts'

export const knowledgeGapHooks: BaseHooks = {
  records: [{ noun: 'knowledge-gaps', table: 'knowledge_gaps' }],
}

export interface KnowledgeGapsDeps {
  db: KnowledgeGapsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  vectors: Pick<QuestionVectors, 'of'>
  traces: Pick<Traces, 'isCoveredNow'>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  newId: () => string
  now: () => Date
}

const limits = LIMITS.knowledgeGaps
/** What the documentation does not answer, and what was done about it; for members with Config on the base. */
export function createKnowledgeGaps(deps: KnowledgeGapsDeps) {
  const { db, knowledgeBases, addressOf, now } = deps
  const bases = createRecordBases({ db, knowledgeBases, table: 'knowledge_gaps', noun: 'knowledge gap' })

  /** The gaps that were asked in a range, for the analytics. */
  async function gapsIn(inRange: InRange, signal: AbortSignal): Promise<FoundGaps> {
    const { gaps, count, isAll } = await findGaps(deps, inRange, signal)
    const asked = gaps.filter(({ group }) => group.questions.length > 0)
    const groups = asked.map(({ group, gap: { id, status } }) => ({ ...group, gap: { id, status } }))
    return { groups, count, isAll }
  }

  /** @throws Refusal BAD_REQUEST for a range that ends before it begins, or is too long */
  async function list(caller: Caller, knowledgeBaseId: string, query: GapsQuery, signal: AbortSignal) {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const range = readDayRange({ from: query.from, to: query.to }, now())
    const inRange = { knowledgeBaseId: base.id, from: range.from, before: range.before }
    const { gaps } = await findGaps(deps, inRange, signal)
    const before = await countQuestions(db, { ...inRange, ...rangeBefore(range) })
    const listed = gaps
      .filter(({ gap }) => query.status === undefined || gap.status === query.status)
      // What is done is listed whether it was asked again or not.
      .filter(({ gap, group }) => gap.status !== 'open' || group.questions.length > 0)
      .slice(0, limits.listed)
      .map((found): ListedGap => ({ ...found, countBefore: before.get(found.gap.id) ?? 0 }))
    return {
      base,
      mayReadAll: canUse(caller, base, 'chat'),
      range,
      listed,
      hasZeroRetention: await hasZeroRetention(db, base.workspace_id),
    }
  }

  async function gapIn(base: KnowledgeBaseRow, id: string): Promise<GapRow> {
    const gap = (await readGaps(db, base.id, [id])).get(id)
    if (gap === undefined) throw bases.notFound()
    return gap
  }

  async function whole(
    caller: Caller,
    base: KnowledgeBaseRow,
    gap: GapRow,
    signal: AbortSignal,
  ): Promise<WholeGap> {
    const members = await readMembers(db, { knowledgeBaseId: base.id, gapId: gap.id, most: limits.questions })
    const found = foundPages(members)
    const mayRead = await pagesReadableBy(
      db,
      caller,
      base,
      found.map(({ documentId }) => documentId),
    )
    const pages = closestPages(
      found.filter(({ documentId }) => mayRead(documentId)),
      limits.closestPages,
      addressOf,
    )
    // It has the same name as in the list: that of the question most like the others.
    const given = {
      knowledgeBaseId: base.id,
      questions: members,
      from: SAME_TOPIC,
      fixed: new Map(members.map(({ id }) => [id, gap.id])),
    }
    const { groups } = await groupQuestions(given, deps.vectors, signal)
    const group = groups[0] ?? { questions: [], wordings: [] }
    return { base, mayReadAll: canUse(caller, base, 'chat'), gap, group, members, pages }
  }

  async function get(caller: Caller, id: string, signal: AbortSignal): Promise<WholeGap> {
    const base = await bases.open(caller, id, 'config')
    await writeIfPossible(() => reopenGaps(db, base.id))
    return await whole(caller, base, await gapIn(base, id), signal)
  }

  /** @throws Refusal BAD_REQUEST for a custom answer that this base does not have; KNOWLEDGE_BASE_ARCHIVED */
  async function change(
    caller: Caller,
    id: string,
    given: KnowledgeGapChange,
    signal: AbortSignal,
  ): Promise<WholeGap> {
    const base = await bases.openActive(caller, id, 'config')
    const gap = await gapIn(base, id)
    const answerId = given.custom_answer_id
    if (typeof answerId === 'string' && !(await hasCustomAnswer(db, base.id, answerId))) {
      const message = 'is not a custom answer of this knowledge base'
      throw wrongField('custom_answer_id', message)
    }
    const { status, note } = given
    await changeGap(db, gap, {
      ...(note !== undefined && { note: note === '' ? null : note }),
      ...(answerId !== undefined && { custom_answer_id: answerId }),
      // Resolving it again starts the watch again.
      ...(status !== undefined && {
        status,
        resolved_at: status === 'resolved' ? now() : null,
        reopened_at: null,
      }),
      updated_at: now(),
    })
    return await whole(caller, base, await gapIn(base, id), signal)
  }

  /** Asks its questions again, and stores whether each is covered now. @throws Refusal KNOWLEDGE_BASE_ARCHIVED */
  async function replay(
    caller: Caller,
    id: string,
    signal: AbortSignal,
  ): Promise<{ gap: WholeGap; counts: ReplayCounts }> {
    const base = await bases.openActive(caller, id, 'config')
    const gap = await gapIn(base, id)
    const members = await readMembers(db, { knowledgeBaseId: base.id, gapId: gap.id, most: limits.questions })
    const { outcomes, counts } = await replayMembers(
      members,
      (messageId) => deps.traces.isCoveredNow(caller, base, messageId, signal),
      signal,
    )
    await saveReplay(db, { knowledgeBaseId: base.id, gapId: gap.id, now: now(), outcomes })
    return { gap: await whole(caller, base, await gapIn(base, id), signal), counts }
  }

  /** Markdown files of the gaps that the list has. */
  async function exportFiles(
    caller: Caller,
    knowledgeBaseId: string,
    query: GapsQuery,
    signal: AbortSignal,
  ): Promise<ExportedGaps> {
    const { base, mayReadAll, listed } = await list(caller, knowledgeBaseId, query, signal)
    const gaps = []
    for (const { gap } of listed) {
      signal.throwIfAborted()
      const { group, members, pages } = await whole(caller, base, gap, signal)
      const { label } = presentGap(gap, group, mayReadAll)
      gaps.push({ gap, label, members, pages })
    }
    return { files: markdownFiles(base.name, gaps) }
  }

  return { gapsIn, list, get, change, replay, exportFiles }
}

export type KnowledgeGaps = ReturnType<typeof createKnowledgeGaps>
