import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ActivityAudit } from '../accounts/activity-log/activity-log.ts'
import type { CallHealth } from '../platform/health/call-health.ts'
import type { FreeSpaceReading } from '../platform/files/free-space.ts'
import type { StorageState } from '../platform/storage/storage.ts'
import type { IndexInspection } from '../content/indexing/indexing.ts'
import type { Settings } from './settings.ts'

export interface Check {
  name: string
  status: 'ok' | 'warning' | 'fault'
  /** What was found, and what to do about it where it is not in order. */
  detail: string
}

export interface DiagnoseDeps {
  engine: 'embedded' | 'postgres'
  lexical: 'bm25' | 'full-text'
  dataDirectory: string
  freeSpace: FreeSpaceReading
  storageState: StorageState['is']
  inspectIndex(): Promise<IndexInspection>
  embedding: { key: string } | { reason: string }
  languageModel: string | undefined
  /** Whether the models of the operator answer. */
  modelHealth: Record<'language' | 'embedding', Pick<CallHealth, 'trouble'>>
  /** Tells what the browser for pages with scripts is, or throws why there is none. */
  tryOutBrowser(): Promise<string>
  trustedProxies: Settings['trustedProxies']
  /** Undefined: the activity logs are not looked at. */
  auditActivity: (() => Promise<ActivityAudit>) | undefined
}

/** Free space under which a sync may fail half-way. */
const LOW_DISK_BYTES = 1_000_000_000

/** What a service with a public address has to be told. */
export const UNSET_PROXY =
  'CITEWELL_PUBLIC_URL is set and CITEWELL_TRUST_PROXY is not: readers behind a proxy on this machine or network cannot be told apart, and there is no limit for each of them. Set it to the address of the proxy (127.0.0.1,::1 for one on this machine), or to none where there is no proxy.'

const run = promisify(execFile)

/** Everything `citewell doctor` looks at. */
export async function diagnose(deps: DiagnoseDeps): Promise<Check[]> {
  const version = await run('git', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
  return [
    { name: 'Node', status: 'ok', detail: process.version },
    {
      name: 'storage',
      status: 'ok',
      detail: deps.engine === 'embedded' ? `embedded, in ${deps.dataDirectory}` : 'PostgreSQL',
    },
    deps.lexical === 'bm25'
      ? { name: 'word search', status: 'ok', detail: 'BM25 (pg_textsearch)' }
      : {
          name: 'word search',
          status: 'warning',
          detail:
            "PostgreSQL's own full text: pages rank worse. Install the extension pg_textsearch on the server.",
        },
    indexCheck(await deps.inspectIndex()),
    ...(deps.auditActivity === undefined ? [] : [auditCheck(await deps.auditActivity())]),
    'key' in deps.embedding
      ? modelCheck('embedding', deps.embedding.key, deps.modelHealth.embedding)
      : {
          name: 'embedding',
          status: 'warning',
          detail: `none, words alone are searched: ${deps.embedding.reason}`,
        },
    deps.languageModel === undefined
      ? { name: 'answers', status: 'ok', detail: 'embedded: quotes from the pages (no model is set)' }
      : modelCheck('answers', deps.languageModel, deps.modelHealth.language),
    await browserCheck(deps),
    version === undefined
      ? { name: 'git', status: 'warning', detail: 'not found: repositories cannot be read' }
      : { name: 'git', status: 'ok', detail: version },
    deps.trustedProxies === 'unset'
      ? { name: 'proxy', status: 'warning', detail: UNSET_PROXY }
      : { name: 'proxy', status: 'ok', detail: proxiesIn(deps.trustedProxies) },
    diskCheck(deps),
  ]
}

function modelCheck(name: string, model: string, health: Pick<CallHealth, 'trouble'>): Check {
  const trouble = health.trouble()
  if (trouble === undefined) return { name, status: 'ok', detail: model }
  const since = trouble.since.toISOString()
  return {
    name,
    status: 'fault',
    detail: `${model}: it has not answered since ${since}. ${trouble.message}`,
  }
}

async function browserCheck({ tryOutBrowser }: DiagnoseDeps): Promise<Check> {
  try {
    const detail = await tryOutBrowser()
    return { name: 'chromium', status: detail.includes('WITHOUT') ? 'warning' : 'ok', detail }
  } catch (fault) {
    const words = fault instanceof Error ? fault.message : 'it does not start'
    return { name: 'chromium', status: 'warning', detail: `pages that need script are left out: ${words}` }
  }
}

function diskCheck({
  freeSpace: { freeBytes, keptBytes },
  storageState,
  dataDirectory,
}: DiagnoseDeps): Check {
  const free = `${(freeBytes / 1e9).toFixed(1)} GB free in ${dataDirectory}`
  if (storageState === 'read-only')
    return {
      name: 'disk',
      status: 'fault',
      detail: `${free}: it is full, and nothing is written. Make room.`,
    }
  if (freeBytes < keptBytes) {
    const kept = `${Math.ceil(keptBytes / 1_048_576)} MB`
    return {
      name: 'disk',
      status: 'fault',
      detail: `${free}: less than the ${kept} that are kept free, so nothing is added. Make room, or set CITEWELL_KEEP_FREE_MB.`,
    }
  }
  return { name: 'disk', status: freeBytes < LOW_DISK_BYTES ? 'warning' : 'ok', detail: free }
}

function proxiesIn(trusted: Exclude<Settings['trustedProxies'], 'unset'>): string {
  if (trusted === 'none') return 'forwarded addresses are believed from nobody'
  const whom = trusted === 'near' ? 'this machine and private networks' : trusted.join(', ')
  return `forwarded addresses are believed from ${whom}`
}

function indexCheck(found: IndexInspection): Check {
  const broken = [
    [found.documentsWithoutChunks, 'documents without text'],
    [found.documentsWithOtherCount, 'documents with missing passages'],
    [found.documentsWithTwoLiveVersions, 'documents with two versions'],
    [found.chunksWithoutVector, 'passages without a vector'],
  ].filter(([count]) => Number(count) > 0)
  const size = `${found.documents} documents, ${found.chunks} passages`
  if (broken.length === 0) return { name: 'index', status: 'ok', detail: `${size}, all whole` }
  const faults = broken.map(([count, what]) => `${count} ${what}`).join(', ')
  return {
    name: 'index',
    status: 'fault',
    detail: `${size}; ${faults}. Sync the sources again: citewell sync`,
  }
}

function auditCheck({ workspaces, entries, faults }: ActivityAudit): Check {
  const size = `${entries} entries of ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}`
  if (faults.length === 0) return { name: 'activity log', status: 'ok', detail: `${size}, every chain whole` }
  return {
    name: 'activity log',
    status: 'fault',
    detail: `${faults.join('; ')}. It was changed past Citewell: compare it with a backup.`,
  }
}
