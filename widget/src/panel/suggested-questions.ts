import { LONGEST_WAIT_MS } from '../chunks/waits.ts'
import type { PanelHost } from './panel-handle.ts'

/** The questions of the first screen. Asked without the client of the service, which comes behind the panel. */
export async function fetchSuggested(
  { config, clientKey, endpoint }: PanelHost,
  language: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `api/v1/public/knowledge-bases/${config.knowledge_base_id}/suggested-questions`
  const answer = await fetch(endpoint + path, {
    headers: { 'x-client-key': clientKey, 'accept-language': language },
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]),
  })
  if (!answer.ok) throw new Error(String(answer.status))
  const { questions } = (await answer.json()) as { questions: string[] }
  return questions
}
