import type { KnowledgeBaseSummary } from './choose-base.ts'
import { CommandFailure, EXIT, type CommandInput } from './command.ts'
import { followSync, isFinished, summaryLine, type SyncRecord } from './follow-sync.ts'
import { placeSource, type PlacedSource } from './place-source.ts'
import { oneLine } from './printable.ts'
import type { ServiceClient } from './service-client.ts'
import type { NewSource } from './source-of-argument.ts'

/** A large source goes on being read after this; the first question is asked of what is there by then. */
const ENOUGH_AFTER_SECONDS = 40

const NOTHING_READ = 'NOTHING_READ'

const readIn = ({ counts }: SyncRecord) => counts.added + counts.changed + counts.unchanged

/**
 * Reads a source for the first time, or again. Where nothing at all could be read, what was made for it is taken away again.
 *
 * @throws CommandFailure with why nothing could be read
 */
export async function readNewSource(
  input: CommandInput,
  client: ServiceClient,
  source: NewSource,
): Promise<KnowledgeBaseSummary> {
  const { terminal } = input
  const placed = await placeSource(input, client, source)
  let syncId: string | undefined
  try {
    syncId = (await client.json<{ id: string }>('POST', `/api/v1/sources/${placed.sourceId}/sync`)).id
    const startedAt = Date.now()
    const sync = await followSync(
      client,
      terminal,
      source.name,
      syncId,
      (latest) => readIn(latest) > 0 && Date.now() - startedAt > ENOUGH_AFTER_SECONDS * 1_000,
    )
    if (isFinished(sync) && readIn(sync) === 0) await failUnlessReadBefore(input, client, placed, sync)
    else if (isFinished(sync))
      terminal.note(`${terminal.style.accent('✓')} ${oneLine(source.name)}: ${summaryLine(sync)}`)
    else terminal.note(`${oneLine(source.name)} is large: it is read on in the background.`)
    return placed.base
  } catch (error) {
    const isNothing = error instanceof CommandFailure && error.more.code === NOTHING_READ
    await takeBack(input, client, placed, { syncId, isNothing })
    throw error
  }
}

async function documentsOf(client: ServiceClient, sourceId: string): Promise<number> {
  const found = (await client.lastly('GET', `/api/v1/sources/${sourceId}`)) as
    | { document_count?: number }
    | undefined
  // Not known: as if there were some, since what is deleted then is gone.
  return found?.document_count ?? Number.POSITIVE_INFINITY
}

/** A site that is down today, and was read before, is still answered from. */
async function failUnlessReadBefore(
  { terminal, words }: CommandInput,
  client: ServiceClient,
  { sourceId, isNewSource }: PlacedSource,
  sync: SyncRecord,
): Promise<void> {
  const whole = await client.json<SyncRecord>('GET', `/api/v1/syncs/${sync.id}`)
  const because = whole.error ?? whole.errors?.[0]?.reason ?? 'There is no page or document that can be read.'
  const what = oneLine(words[0] ?? 'the guide')
  if (!isNewSource && (await documentsOf(client, sourceId)) > 0) {
    terminal.note(`${terminal.style.fault('✗')} ${what} could not be read again: ${because}`)
    return
  }
  throw new CommandFailure(EXIT.error, `Nothing was read from ${what}, and nothing is kept. ${because}`, {
    code: NOTHING_READ,
  })
}

/** Takes away what was made for a source of which nothing was read; pages that were read stay. */
async function takeBack(
  { terminal, typed, words }: CommandInput,
  client: ServiceClient,
  { base, sourceId, isNewBase, isNewSource }: PlacedSource,
  { syncId, isNothing }: { syncId: string | undefined; isNothing: boolean },
): Promise<void> {
  if (!isNothing && syncId !== undefined) await client.lastly('POST', `/api/v1/syncs/${syncId}/cancel`)
  if (!isNewSource) return
  const read = isNothing ? 0 : await documentsOf(client, sourceId)
  if (read > 0) {
    const again = typed(`up ${words[0] ?? ''}`.trim())
    terminal.note(`What was read so far is kept in "${oneLine(base.name)}". Go on with: ${again}`)
  } else if (isNewBase) {
    await client.lastly('DELETE', `/api/v1/knowledge-bases/${base.id}`, { confirm: base.name })
  } else {
    await client.lastly('DELETE', `/api/v1/sources/${sourceId}`)
  }
}
