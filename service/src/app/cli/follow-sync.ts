import { elapsedMs } from '../../kernel/duration.ts'
import { oneLine } from './printable.ts'
import { readEvents } from './read-events.ts'
import type { ServiceClient } from './service-client.ts'
import { bar, type Terminal } from './terminal.ts'

export interface SyncRecord {
  id: string
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: Record<
    'discovered' | 'fetched' | 'added' | 'changed' | 'unchanged' | 'removed' | 'skipped' | 'failed',
    number
  >
  error: string | null
  errors?: { kind: string; url: string; reason: string }[]
  started_at: string | null
}

const FINISHED = new Set(['succeeded', 'partial', 'failed', 'cancelled'])

export const isFinished = (sync: SyncRecord) => FINISHED.has(sync.status)

/** `Indexing docs  ██████░░░░  120 of 526 pages, 14.2 a second`; the bar only where it can be drawn, and once there is a number. */
function progressLine(name: string, sync: SyncRecord, now: Date, hasBar: boolean): string {
  const { counts } = sync
  const named = oneLine(name)
  if (counts.discovered === 0) return `Reading ${named} …`
  const done = counts.added + counts.changed + counts.unchanged + counts.skipped + counts.failed
  const seconds = sync.started_at === null ? 0 : elapsedMs(new Date(sync.started_at), now) / 1_000
  const rate = seconds > 1 ? `, ${(done / seconds).toFixed(1)} a second` : ''
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : ''
  const drawn = hasBar ? `  ${bar(done / counts.discovered, 20)}  ` : ': '
  return `Indexing ${named}${drawn}${done} of ${counts.discovered} pages${rate}${failed}`
}

/** `526 pages: 3 added, 523 unchanged` */
export function summaryLine(sync: SyncRecord): string {
  const parts = (['added', 'changed', 'unchanged', 'removed', 'skipped', 'failed'] as const)
    .filter((part) => sync.counts[part] > 0)
    .map((part) => `${sync.counts[part]} ${part}`)
  return parts.length === 0 ? 'nothing was found' : parts.join(', ')
}

/** Draws the progress of a sync until it ends, or until `untilEnough` says that it may go on without us. */
export async function followSync(
  client: ServiceClient,
  terminal: Terminal,
  name: string,
  syncId: string,
  untilEnough: (sync: SyncRecord) => boolean,
): Promise<SyncRecord> {
  let latest: SyncRecord | undefined
  const response = await client.request('GET', `/api/v1/syncs/${syncId}/events`)
  for await (const frame of readEvents(response)) {
    latest = frame as unknown as SyncRecord
    terminal.progress(progressLine(name, latest, new Date(), terminal.canRedraw))
    if (isFinished(latest) || untilEnough(latest)) break
  }
  terminal.endProgress()
  return latest ?? (await client.json<SyncRecord>('GET', `/api/v1/syncs/${syncId}`))
}
