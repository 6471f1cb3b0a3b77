import { setTimeout as delay } from 'node:timers/promises'
import type { Document } from '@citewell/contract/documents'
import type { Source } from '@citewell/contract/sources'
import type { Sync } from '@citewell/contract/syncs'
import { serveFolder } from '../../e2e/cited-anchors/serve-folder.ts'
import type { ServiceCalls } from './service-calls.ts'

interface Listed<Item> {
  data: Item[]
  next_cursor: string | null
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'partial', 'failed', 'cancelled'])

/** The path below the site's folder; the folder itself is its `index.html`. */
function pageOfAddress(address: string): string {
  const path = decodeURIComponent(new URL(address).pathname).slice(1)
  return path === '' || path.endsWith('/') ? `${path}index.html` : path
}

/**
 * Serves a folder on this machine and reads it with a website source, like an owner would.
 *
 * @returns the page of each document, by its id
 */
export async function crawlSite(
  baseId: string,
  { name, folder }: { name: string; folder: string },
  calls: ServiceCalls,
): Promise<Map<string, string>> {
  const path = `/api/v1/knowledge-bases/${baseId}/sources`
  const { data } = await calls.manage<Listed<Source>>('GET', `${path}?limit=200`)
  const known = data.find(
    (source) =>
      source.name === name &&
      (source.last_sync?.status === 'succeeded' || source.last_sync?.status === 'partial'),
  )
  if (known === undefined) await crawl(path, name, folder, calls)
  return await documentsOf(baseId, calls)
}

async function crawl(path: string, name: string, folder: string, calls: ServiceCalls): Promise<void> {
  await using site = await serveFolder(folder)
  const source = await calls.manage<Source>('POST', path, {
    type: 'website',
    name,
    config: { start_urls: [`${site.origin}/`], render_js: false },
  })
  let sync = await calls.manage<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
  while (!ENDED.has(sync.status)) {
    await delay(500)
    sync = await calls.manage<Sync>('GET', `/api/v1/syncs/${sync.id}`)
  }
  // Dead links in the documentation make the sync partial.
  if (sync.status !== 'succeeded' && sync.status !== 'partial') {
    throw new Error(
      `The crawl of ${folder} ended as ${sync.status}: ${JSON.stringify(sync.errors.slice(0, 3))}`,
    )
  }
}

async function documentsOf(baseId: string, calls: ServiceCalls): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const listed: Listed<Document> = await calls.manage(
      'GET',
      `/api/v1/knowledge-bases/${baseId}/documents?limit=200${more}`,
    )
    for (const { id, url } of listed.data) pages.set(id, pageOfAddress(url))
    cursor = listed.next_cursor
  }
  return pages
}
