import { join } from 'node:path'
import { openEmbeddedStorage } from '../../service/src/platform/storage/storage.ts'
import { startCitewell } from '../processes/start-citewell.ts'

export const TOKEN = 'a-bootstrap-token-for-benches'

/** How much there is to show. */
export interface Filled {
  base: string
  workspace: string
  /** The source with many syncs. */
  source: string
  documents: number
  sources: number
  syncs: number
}

/** A data directory with many documents, sources and syncs of one base; reading so many pages takes minutes, and is not measured. */
export async function fillDashboard(
  data: string,
  size: Pick<Filled, 'documents' | 'sources' | 'syncs'>,
): Promise<Filled> {
  const made = await makeBase(data)
  const storage = await openEmbeddedStorage({ directory: join(data, 'database'), isDurable: true })
  try {
    const { base, source } = made
    await storage.execute(`insert into documents
      (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, latest_version, chunk_count, indexed_at, created_at, updated_at)
      select '${base}', gen_random_uuid(), '${source}', 'page-' || n, 'https://docs.example.com/guide/page-' || n,
        'Page ' || lpad(n::text, 5, '0') || ' about ' || (array['keys', 'alarms', 'budgets', 'tokens'])[1 + n % 4],
        'public', 1, 1, n % 40, now(), now(), now()
      from generate_series(1, ${size.documents}) as n`)
    // As the first one, with another id and name.
    await storage.execute(`insert into sources
      select (jsonb_populate_record(first, jsonb_build_object('id', gen_random_uuid(), 'name', 'Source ' || lpad(n::text, 3, '0')))).*
      from sources as first, generate_series(2, ${size.sources}) as n where first.id = '${source}'`)
    await storage.execute(`insert into syncs
      (knowledge_base_id, id, source_id, status, counts, started_at, finished_at, created_at, updated_at)
      select '${base}', gen_random_uuid(), '${source}', 'succeeded',
        jsonb_build_object('discovered', n, 'fetched', n, 'added', n % 7, 'changed', n % 5, 'unchanged', n, 'removed', n % 3, 'skipped', 0, 'failed', 0),
        now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour'
      from generate_series(1, ${size.syncs}) as n`)
    return { ...made, ...size }
  } finally {
    await storage.close()
  }
}

async function makeBase(data: string): Promise<Pick<Filled, 'base' | 'workspace' | 'source'>> {
  await using citewell = await startCitewell(data, { CITEWELL_BOOTSTRAP_TOKEN: TOKEN })
  const { id: base, workspace_id: workspace } = await callService(
    citewell.address,
    'POST',
    '/knowledge-bases',
    {
      name: 'Large docs',
    },
  )
  const { id: source } = await callService(citewell.address, 'POST', `/knowledge-bases/${base}/sources`, {
    type: 'push',
    name: 'Source 001',
    config: {},
  })
  return { base: base ?? '', workspace: workspace ?? '', source: source ?? '' }
}

/** A management request of the owner. */
export async function callService(
  address: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ id?: string; workspace_id?: string; url?: string; user?: { email: string } }> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id?: string }
}
