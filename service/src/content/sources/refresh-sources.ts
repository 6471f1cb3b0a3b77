import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { nextTime } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { isOfSomeAddresses, type Syncs } from '../syncs/syncs.ts'
import {
  findDueBases,
  findDueSources,
  listSourceTypes,
  makeDue,
  setNextCrawl,
  setNextRefresh,
  type RefreshDb,
} from './refresh-store.ts'

export interface RefreshDeps {
  db: RefreshDb
  syncs: Pick<Syncs, 'request'>
  now: () => Date
}

/**
 * Requests the syncs that are due: of each source by its own refresh, and of all sources of a base by its scheduled crawling. A sync is
 * requested before the next time is written: after a crash in between it is requested again, which finds it in progress.
 */
async function refreshSources({ db, syncs, now }: RefreshDeps, signal: AbortSignal): Promise<void> {
  const time = now()
  for (const { refresh, ...source } of await findDueSources(db, time)) {
    signal.throwIfAborted()
    const sync = await syncs.request(source.knowledgeBaseId, source.sourceId)
    // The sync was already running: it may have missed what has come since (an uploaded file). The next minute requests another one.
    if (sync.status === 'running') continue
    await setNextRefresh(db, { ...source, next: nextTime(refresh, time), now: time })
  }
  for (const { knowledgeBaseId, schedule } of await findDueBases(db, time)) {
    for (const source of await listSourceTypes(db, knowledgeBaseId)) {
      signal.throwIfAborted()
      if (WRITTEN_SOURCE_TYPES.has(source.type)) continue
      const sync = await syncs.request(knowledgeBaseId, source.sourceId)
      // It reads some addresses only: the next minute requests another one.
      if (isOfSomeAddresses(sync))
        await makeDue(db, { knowledgeBaseId, sourceId: source.sourceId, now: time })
    }
    await setNextCrawl(db, { knowledgeBaseId, next: nextTime(schedule, time), now: time })
  }
}

/** Looks for due sources every minute. */
export function refreshJob(deps: RefreshDeps): Job {
  return {
    name: 'refresh-sources',
    schedule: '* * * * *',
    handle: (_data, signal) => refreshSources(deps, signal),
  }
}
