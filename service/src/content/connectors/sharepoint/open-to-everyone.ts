import { ApiFailure } from '../rest/api-failure.ts'
import type { ApiDeps } from '../rest/api-connector.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { Batch, PermissionList } from './graph-schemas.ts'

/** Requests in one batch: https://learn.microsoft.com/en-us/graph/json-batching */
const AT_ONCE = 20
const MAX_TRIES = 5
const MAX_WAIT_SECONDS = 120

/** Links that show what they lead to: others take files only (`createOnly`), or are not known. */
const READING = new Set(['view', 'edit', 'embed', 'review', 'blocksDownload'])
const READERS = new Set(['read', 'write'])

/** An end that is none: https://learn.microsoft.com/en-us/graph/api/resources/permission */
const NO_END = '0001-01-01'

/** Whether a link lets everyone read: without a sign-in, a password, or an end that has passed. */
function isOpen(body: unknown, now: number): boolean {
  const list = PermissionList.safeParse(body)
  return (
    list.success &&
    list.data.value.some(
      ({ link, roles, hasPassword, expirationDateTime: ends }) =>
        link?.scope === 'anonymous' &&
        READING.has(link.type ?? '') &&
        roles?.some((role) => READERS.has(role)) === true &&
        hasPassword !== true &&
        (ends === undefined || ends === null || ends.startsWith(NO_END) || Date.parse(ends) > now),
    )
  )
}

/** What one answer of a batch asks to wait. */
const secondsToWait = (headers: Record<string, string> = {}): number =>
  Number(headers['Retry-After'] ?? headers['retry-after'] ?? 1) || 0

/** One request too many says nothing about an item. */
function requireQuiet(status: number | undefined): void {
  if (status === 429)
    throw new ApiFailure('unavailable', 'SharePoint does not tell who may open some files. Sync it again.')
}

/**
 * Which of some shared items everyone may open. Only their permissions tell; one whose permissions are not told is taken for closed.
 *
 * @param items places of items: `/drives/{id}/items/{id}`
 */
export async function openToEveryone(
  deps: Pick<ApiDeps, 'now' | 'wait'>,
  client: RestClient,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>()
  for (let start = 0; start < items.length; start += AT_ONCE) {
    let asked = items.slice(start, start + AT_ONCE)
    for (let attempt = 0; asked.length > 0 && attempt < MAX_TRIES; attempt += 1) {
      const requests = asked.map((item, at) => ({
        id: String(at),
        method: 'GET',
        url: `${item}/permissions`,
      }))
      const { data } = await client.json('/v1.0/$batch', Batch, { method: 'POST', body: { requests } })
      const again: string[] = []
      let wait = 0
      for (const [at, item] of asked.entries()) {
        const answer = data.responses.find(({ id }) => id === String(at))
        if (answer?.status === 200 && isOpen(answer.body, deps.now())) open.add(item)
        if (answer === undefined || answer.status === 429 || answer.status >= 500) {
          again.push(item)
          wait = Math.max(wait, secondsToWait(answer?.headers))
        }
        if (attempt === MAX_TRIES - 1) requireQuiet(answer?.status)
      }
      // Of one that SharePoint cannot tell about, again and again, nothing is known: it must not keep the others from being read.
      asked = again
      if (asked.length > 0) await deps.wait(Math.min(wait, MAX_WAIT_SECONDS) * 1_000, signal)
    }
  }
  return open
}
