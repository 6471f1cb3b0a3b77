import type { ServiceClient } from './service-client.ts'

export interface SourceSummary {
  id: string
  knowledge_base_id: string
  name: string
  type: string
  config: Record<string, unknown>
  status: string
  document_count: number
  last_sync: { status: string; finished_at: string | null } | null
}

/** Every record of a list, page by page. */
export async function listAll<Listed>(client: ServiceClient, path: string): Promise<Listed[]> {
  const all: Listed[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor !== null && { cursor }) })
    const page: { data: Listed[]; next_cursor: string | null } = await client.json(
      'GET',
      `${path}?${query.toString()}`,
    )
    all.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

/** The sources of these knowledge bases, in their order. */
export async function listSources(
  client: ServiceClient,
  bases: readonly { id: string }[],
): Promise<SourceSummary[]> {
  const all: SourceSummary[] = []
  for (const { id } of bases)
    all.push(...(await listAll<SourceSummary>(client, `/api/v1/knowledge-bases/${id}/sources`)))
  return all
}
