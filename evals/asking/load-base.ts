import type { ClientKey, CreatedClientKey } from '@citewell/contract/client-keys'
import type { KnowledgeBase } from '@citewell/contract/knowledge-bases'
import type { PushedDocument, PushedDocuments } from '@citewell/contract/pushed-documents'
import type { SourceGroup } from '@citewell/contract/source-groups'
import type { Source } from '@citewell/contract/sources'
import type { Page } from '../sets/read-set.ts'
import type { BasePlan, SourcePlan } from '../sets/set-plan.ts'
import type { FoundPage } from '../measures/observation.ts'
import { crawlSite } from './crawl-site.ts'
import { RequestRefused, type ServiceCalls } from './service-calls.ts'

/** A knowledge base with all its pages. */
export interface LoadedBase {
  id: string
  /** A public client key. */
  key: string
  /** The page of the set for each document of the service. */
  pageOf: ReadonlyMap<string, FoundPage>
  /** Ids of the source groups, by the name of their source. */
  groups: ReadonlyMap<string, string>
  /** Pages that the service refused because they contain no text. */
  refused: string[]
  counts: Record<PushedDocuments['documents'][number]['outcome'], number>
}

const PAGES_PER_REQUEST = 25
const KEY_NAME = 'Evaluation'
const TITLE_CHARACTERS = 80

type Listed<Item> = { data: Item[] }

/** The title of a page; for a page without one, its first words. */
function titleOf({ title, text, id }: Page): string {
  if (title.trim() !== '') return title.slice(0, 500)
  const words = text.trim().replaceAll(/\s+/g, ' ')
  if (words.length <= TITLE_CHARACTERS) return words === '' ? id : words
  return words
    .slice(0, TITLE_CHARACTERS)
    .replace(/\s+\S*$/, '')
    .toWellFormed()
}

const documentOf = (base: string, page: Page): PushedDocument => ({
  external_id: page.id,
  title: titleOf(page),
  url: page.url ?? `https://docs.example.com/${base}/${encodeURIComponent(page.id)}`,
  markdown: page.text,
})

/** Finds or creates the knowledge base of that name, and sends every page to it; the service detects which are new. */
export async function loadBase(
  plan: BasePlan,
  calls: ServiceCalls,
  onProgress: (done: number, of: number) => void,
): Promise<LoadedBase> {
  const base = await findOrMakeBase(plan, calls)
  const key = await findOrMakeKey(base.id, calls)
  const total = plan.sources.reduce((sum, source) => sum + source.pages.length, 0)
  const pageOf = new Map<string, FoundPage>()
  const groups = new Map<string, string>()
  const refused: string[] = []
  const counts = { added: 0, changed: 0, unchanged: 0 }
  let done = 0
  for (const source of plan.sources) {
    if (source.site !== undefined) {
      const crawled = await crawlSite(base.id, { name: source.name, folder: source.site }, calls)
      for (const [id, page] of crawled) pageOf.set(id, { page, source: source.name, versionLabel: null })
      continue
    }
    const made = await findOrMakeSource(base.id, source, calls)
    if (made.groupId !== null) groups.set(source.name, made.groupId)
    for (let at = 0; at < source.pages.length; at += PAGES_PER_REQUEST) {
      const pages = source.pages.slice(at, at + PAGES_PER_REQUEST)
      const pushed = await pushPages(
        made.id,
        pages.map((page) => documentOf(plan.name, page)),
        calls,
      )
      refused.push(...pushed.refused)
      for (const { id, external_id: page, outcome } of pushed.documents) {
        pageOf.set(id, { page, source: source.name, versionLabel: source.versionLabel })
        counts[outcome] += 1
      }
      done += pages.length
      onProgress(done, total)
    }
  }
  return { id: base.id, key, pageOf, groups, refused, counts }
}

/** Sends documents; one without text is left out and returned. */
async function pushPages(
  sourceId: string,
  documents: PushedDocument[],
  calls: ServiceCalls,
): Promise<PushedDocuments & { refused: string[] }> {
  const refused: string[] = []
  let left = documents
  while (left.length > 0) {
    const response = await calls.tryManage('PUT', `/api/v1/sources/${sourceId}/documents`, {
      documents: left,
    })
    const text = await response.text()
    if (response.ok) return { ...(JSON.parse(text) as PushedDocuments), refused }
    const empty = /"path":"documents\.(\d+)\.markdown","message":"contains no text"/.exec(text)?.[1]
    if (empty === undefined)
      throw new RequestRefused(`The documents were refused: ${response.status} ${text}`)
    refused.push(left[Number(empty)]?.external_id ?? '')
    left = left.filter((_, place) => place !== Number(empty))
  }
  return { documents: [], refused }
}

async function findOrMakeBase({ name, language }: BasePlan, calls: ServiceCalls): Promise<{ id: string }> {
  const { data } = await calls.manage<Listed<KnowledgeBase>>('GET', '/api/v1/knowledge-bases?limit=200')
  const found = data.find((base) => base.name === name)
  if (found !== undefined) return found
  return await calls.manage<KnowledgeBase>('POST', '/api/v1/knowledge-bases', {
    name,
    language,
    starter_questions: { mode: 'none' },
  })
}

async function findOrMakeKey(baseId: string, calls: ServiceCalls): Promise<string> {
  const path = `/api/v1/knowledge-bases/${baseId}/client-keys`
  const { data } = await calls.manage<Listed<ClientKey>>('GET', `${path}?limit=200`)
  const found = data.find(
    ({ name, status, kind }) => name === KEY_NAME && status === 'live' && kind === 'public',
  )
  const { key } = found ?? (await calls.manage<CreatedClientKey>('POST', path, { name: KEY_NAME }))
  if (key === undefined) throw new Error('The service returned no public key.')
  return key
}

async function findOrMakeSource(
  baseId: string,
  plan: SourcePlan,
  calls: ServiceCalls,
): Promise<{ id: string; groupId: string | null }> {
  const path = `/api/v1/knowledge-bases/${baseId}/sources`
  const { data } = await calls.manage<Listed<Source>>('GET', `${path}?limit=200`)
  const found = data.find(({ name }) => name === plan.name)
  if (found !== undefined) return { id: found.id, groupId: found.source_group_id }
  const group = plan.isGrouped
    ? await calls.manage<SourceGroup>('POST', `/api/v1/knowledge-bases/${baseId}/source-groups`, {
        name: plan.name,
      })
    : undefined
  const groupId = group?.id ?? null
  const made = await calls.manage<Source>('POST', path, {
    type: 'push',
    name: plan.name,
    version_label: plan.versionLabel,
    source_group_id: groupId,
  })
  return { id: made.id, groupId }
}
