import type { HostileWorld } from './hostile-world.ts'

/** Timeout of an answer. */
export const ANSWER_TIMEOUT_MS = 60_000

/** Sends a public request and reads its whole answer; returns the status. */
export async function postPublic(world: HostileWorld, what: string, body: unknown): Promise<string> {
  const response = await fetch(
    new URL(`/api/v1/public/knowledge-bases/${world.base.id}/${what}`, world.service.address),
    {
      method: 'POST',
      headers: { 'x-client-key': world.base.clientKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    },
  )
  const text = await response.text()
  return response.status === 200 && text.includes('"error_code"') ? 'error frame' : String(response.status)
}

/** Asks about the document that was just read, through each endpoint that reads passages. */
export async function askAround(world: HostileWorld): Promise<void> {
  const query = 'How is the zebrafish valve opened?'
  await postPublic(world, 'search', { query: 'zebrafish valve', limit: 50 })
  await postPublic(world, 'related', { query })
  await postPublic(world, 'chat', { query, top_k: 30 })
}
