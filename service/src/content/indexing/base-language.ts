import { findBaseLanguage, noteFoundLanguage } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Events } from '../../platform/events/events.ts'
import { yieldToEventLoop } from '../../kernel/yield-to-event-loop.ts'
import {
  listInOtherLanguage,
  listPassages,
  replaceTerms,
  samplePages,
  type PageInOtherLanguage,
} from './base-language-store.ts'
import type { IndexDb } from './indexing-tables.ts'
import { languageOfPage, languageOfPages } from './language-of-pages.ts'
import { pipelineIn } from './pipeline.ts'
import { createPageTerms } from './prepare-passages.ts'

const PAGES_AT_ONCE = 100

/** Of the documents of a source. */
const SHARE_CHANGED = 0.1

const bytesOf = (text: string) => Buffer.byteLength(text)

export interface SettledLanguage {
  before: string | undefined
  after: string | undefined
  /** Pages whose words were analysed anew. */
  pages: number
}

/**
 * The language of a base, which decides how the words of its pages and of questions are analysed. Where no owner chose one it is found out
 * from the pages.
 */
export function createBaseLanguage(deps: { db: IndexDb; events: Pick<Events, 'announce'> | undefined }) {
  const { db, events } = deps
  /** By base: the language after the last push that was looked at, and the pages that were pushed since. */
  const settled = new Map<string, { language: string | undefined; changed: number }>()

  /** What is in effect now, and was before; undefined for a base that is gone. */
  async function find(
    knowledgeBaseId: string,
  ): Promise<Pick<SettledLanguage, 'before' | 'after'> | undefined> {
    const base = await findBaseLanguage(db, knowledgeBaseId)
    if (base === undefined) return undefined
    const { language: before, isChosen } = base
    if (isChosen) return { before, after: before }
    const told: (string | undefined)[] = []
    for (const page of await samplePages(db, knowledgeBaseId)) {
      told.push(languageOfPage(page))
      await yieldToEventLoop()
    }
    const after = languageOfPages(told, before)
    if (after === before || (await noteFoundLanguage(db, knowledgeBaseId, after))) return { before, after }
    return { before, after: (await findBaseLanguage(db, knowledgeBaseId))?.language }
  }

  async function analyse(
    knowledgeBaseId: string,
    page: PageInOtherLanguage,
    language: string | undefined,
  ): Promise<boolean> {
    const passages = await listPassages(db, { knowledgeBaseId, documentId: page.id, version: page.version })
    const { termsOf, pageTerms } = createPageTerms(page.title, language)
    const terms: { id: string; terms: string }[] = []
    // Stored and indexed, as `stored-bytes.ts` counts them; that of the page's words makes no difference worth a statement.
    let grownBy = 0
    for (const passage of passages) {
      const analysed = termsOf(passage)
      terms.push({ id: passage.id, terms: analysed })
      grownBy += 2 * (bytesOf(analysed) - bytesOf(passage.terms))
      await yieldToEventLoop()
    }
    return await replaceTerms(
      db,
      { ...page, knowledgeBaseId },
      { terms, pageTerms: pageTerms(), pipeline: pipelineIn(language, page.indexedWith), grownBy },
    )
  }

  /** Analyses the words of pages that were read in another language anew, from what is stored of them. */
  async function analyseOthers(
    knowledgeBaseId: string,
    language: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let analysed = 0
    let after: string | undefined
    for (;;) {
      const pages = await listInOtherLanguage(db, { knowledgeBaseId, language, after, limit: PAGES_AT_ONCE })
      for (const page of pages) {
        signal?.throwIfAborted()
        if (await analyse(knowledgeBaseId, page, language)) analysed += 1
      }
      after = pages.at(-1)?.id
      if (pages.length < PAGES_AT_ONCE) return analysed
    }
  }

  /**
   * Called when pages have become live: finds out the language of the base if nobody chose it, and makes all its pages agree with it. What
   * is interrupted goes on the next time. Undefined for a base that is gone.
   */
  async function settleLanguage(
    knowledgeBaseId: string,
    signal?: AbortSignal,
  ): Promise<SettledLanguage | undefined> {
    const language = await find(knowledgeBaseId)
    if (language === undefined) return undefined
    const pages = await analyseOthers(knowledgeBaseId, language.after, signal)
    if (pages > 0 || language.before !== language.after)
      events?.announce('content.changed', { knowledgeBaseId })
    return { ...language, pages }
  }

  /** The same after a push, which may be of one page among thousands: only when a share of the pages has changed since, or the language. */
  async function settlePushed(
    knowledgeBaseId: string,
    pushed: { language: string | undefined; changed: number; documents: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { language, documents } = pushed
    const last = settled.get(knowledgeBaseId)
    const changed = (last?.changed ?? 0) + pushed.changed
    if (last?.language === language && last !== undefined && changed < SHARE_CHANGED * documents) {
      last.changed = changed
      return
    }
    const now = await settleLanguage(knowledgeBaseId, signal)
    settled.set(knowledgeBaseId, { language: now?.after, changed: 0 })
  }

  return {
    settleLanguage,
    settlePushed,
    forget: (knowledgeBaseId: string) => settled.delete(knowledgeBaseId),
  }
}
