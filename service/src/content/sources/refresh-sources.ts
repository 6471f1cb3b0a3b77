import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { nextTime } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Syncs } from '../syncs/syncs.ts'
import {
  findDueBases,
  findDueSources,
  listSourceTypes,
  moveNextCrawl,
  moveNextRefresh,
  type RefreshDb,
} from './refresh-store.ts'

export interface RefreshDeps {
  db: RefreshDb
  syncs: Pick<Syncs, 'request'>
  now: () => Date
}

/**
 * Asks for the syncs that are due: of each source by its own refresh, and of all sources of a base by its scheduled crawling.
 * A sync is asked for before the next time is written: what is lost in between is asked for again, and found under way.
 */
async function refreshSources({ db, syncs, now }: RefreshDeps, signal: AbortSignal): Promise<void> {
  const time = now()
  for (const { refresh, ...source } of await findDueSources(db, time)) {
    signal.throwIfAborted()
    const sync = await syncs.request(source.knowledgeBaseId, source.sourceId)
    // It was running before: what has come since (an uploaded file) it may have missed. The next minute asks again.
    if (sync.status === 'running') continue
    await moveNextRefresh(db, { ...source, next: nextTime(refresh, time), now: time })
  }
  for (const { knowledgeBaseId, schedule } of await findDueBases(db, time)) {
    for (const source of await listSourceTypes(db, knowledgeBaseId)) {
      signal.throwIfAborted()
      if (!WRITTEN_SOURCE_TYPES.has(source.type)) await syncs.request(knowledgeBaseId, source.sourceId)
    }
    await moveNextCrawl(db, { knowledgeBaseId, next: nextTime(schedule, time), now: time })
  }
}

/** Looks every minute for what is due. */
export function refreshJob(deps: RefreshDeps): Job {
  return {
    name: 'refresh-sources',
    schedule: '* * * * *',
    concurrency: 1,
    handle: (_data, signal) => refreshSources(deps, signal),
  }
}
