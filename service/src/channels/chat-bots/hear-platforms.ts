import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import { listDriven, noteProblem, type IntegrationRow } from '../integrations/integrations.ts'
import { readHookBase, type PlatformEvent } from '../platform-hooks/platform-hooks.ts'
import { isUncertainty } from '../platform-posts/platform-posts.ts'
import type { ChatBotsDb } from './chat-bots-store.ts'
import type { ChatIncoming } from './chat-incoming.ts'
import { PlatformRefusal, type BotAccount, type ChatPlatform } from './chat-platform.ts'

export interface HearPlatformsDeps {
  db: ChatBotsDb
  /** Names of the platforms that are listened to. */
  heard: readonly string[]
  platformOf: (integration: IntegrationRow) => ChatPlatform | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => BotAccount
  /** Whether a bot is listened to, and not told by a hook. */
  isHeard: (integration: IntegrationRow) => boolean
  /** Only one of the bots with the same value is listened to; undefined: it stands alone. */
  connectionOf: (integration: IntegrationRow) => string | undefined
  take: (integrationId: string, event: PlatformEvent<ChatIncoming>) => Promise<void>
  now: () => Date
  report: (fault: unknown, doing: string) => void
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** A connection that lasted so long was a good one: the next attempt comes soon. */
const LASTING_MS = 30_000
/** Events of one connection that wait to be stored. More are not taken: what was not stored comes again. */
const MOST_WAITING = 200

interface Ear {
  /** Changes with everything that the connection depends on. */
  made: string
  /** Ends the wait for the next attempt. */
  wake: () => void
  ending: AbortController
  ended: Promise<void>
}

const UNREADABLE =
  'The stored credentials cannot be opened with the secret key of this service. Enter them again.'

const SHARED =
  'Another bot of this service has the same token: it answers what it hears, this one does not. Give each bot an application of its own, or switch one off.'

const madeOf = ({ config, sealed_credentials: sealed }: IntegrationRow) => JSON.stringify([config, sealed])

/** Waits, until the signal or somebody who asks for the next attempt ends it. */
async function rest(ms: number, signal: AbortSignal, wakes: EventTarget): Promise<void> {
  const woken = new AbortController()
  const wake = () => woken.abort()
  wakes.addEventListener('wake', wake)
  await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined)
  wakes.removeEventListener('wake', wake)
}

/** Keeps a connection open for each bot of a platform that sends nothing by itself. Several processes may hear the same: an event is taken once. */
export function createHearing(deps: HearPlatformsDeps) {
  const { db, heard, platformOf, accountOf, isHeard, connectionOf, take, now, report } = deps
  const ears = new Map<string, Ear>()
  let isStopped = false
  /** In a process that only answers requests nothing is listened to. */
  let isBegun = false

  const note = (row: IntegrationRow, problem: string | null) =>
    noteProblem(db, { knowledgeBaseId: row.knowledge_base_id, id: row.id }, problem, now()).catch(
      (fault: unknown) => report(fault, 'noting the connection of a bot'),
    )

  async function hear(row: IntegrationRow, signal: AbortSignal, wakes: EventTarget): Promise<void> {
    const listen = platformOf(row)?.listen
    if (listen === undefined) return
    let resumption: unknown
    let isFailing = row.problem !== null && !isUncertainty(row.problem)
    // One after the other: the platform's order is theirs.
    let taking = Promise.resolve()
    let waiting = 0
    for (let failures = 0; !signal.aborted;) {
      const startedAt = now().getTime()
      let againAfterMs: number | undefined
      try {
        resumption = await listen(accountOf(row, signal), {
          heard: async (event) => {
            if (waiting >= MOST_WAITING) throw new Error('A platform sends more than can be stored.')
            waiting += 1
            const taken = taking.then(() => take(row.id, event))
            taking = taken
              .catch((fault: unknown) => report(fault, 'taking an event of a platform'))
              .finally(() => (waiting -= 1))
            await taken
          },
          connected: () => {
            if (isFailing) void note(row, null)
            isFailing = false
          },
          resumption,
        })
      } catch (fault) {
        if (signal.aborted) break
        if (fault instanceof PlatformRefusal || fault instanceof OutboundFailure) {
          isFailing = true
          await note(row, fault.message)
          if (fault instanceof PlatformRefusal) againAfterMs = fault.againAfterMs
        } else report(fault, 'listening to a chat platform')
      }
      failures = now().getTime() - startedAt > LASTING_MS ? 0 : failures + 1
      const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS)
      await rest(againAfterMs ?? wait * (0.75 + Math.random() / 2), signal, wakes)
    }
    await taking
  }

  /** Credentials that cannot be opened, after a change of the secret key, are no reason to leave other bots deaf. */
  function isHeardSafely(row: IntegrationRow): boolean {
    try {
      return isHeard(row)
    } catch {
      if (row.problem !== UNREADABLE) void note(row, UNREADABLE)
      return false
    }
  }

  /** The oldest of the bots that would hear the same, and every other bot. */
  function withoutSharing(rows: readonly IntegrationRow[]): IntegrationRow[] {
    const taken = new Set<string>()
    return rows.filter((row) => {
      const connection = connectionOf(row)
      if (connection === undefined) return true
      if (taken.has(connection)) {
        if (row.problem !== SHARED) void note(row, SHARED)
        return false
      }
      taken.add(connection)
      return true
    })
  }

  /** The bots that are to be listened to, as their records are now. */
  async function wantedRows(): Promise<IntegrationRow[]> {
    const active: IntegrationRow[] = []
    for (const row of await listDriven(db, { kind: 'bot', platforms: heard })) {
      if (!isHeardSafely(row)) continue
      const { isActive } = await readHookBase(db, row.knowledge_base_id)
      if (isActive) active.push(row)
    }
    return withoutSharing(active)
  }

  function begin(row: IntegrationRow): void {
    const ending = new AbortController()
    const wakes = new EventTarget()
    const wake = () => void wakes.dispatchEvent(new Event('wake'))
    const ended = hear(row, ending.signal, wakes).catch((fault: unknown) =>
      report(fault, 'listening to a chat platform'),
    )
    ears.set(row.id, { made: madeOf(row), wake, ending, ended })
  }

  function end(id: string): void {
    ears.get(id)?.ending.abort(new Error('The bot is not connected any more.'))
    ears.delete(id)
  }

  return {
    /** From here on this process listens. */
    begin: () => {
      isBegun = true
    },
    /**
     * Opens and ends connections as the records of the bots are now.
     *
     * @param again a bot whose next attempt comes at once
     */
    look: async ({ again }: { again?: string } = {}): Promise<void> => {
      if (!isBegun || isStopped || heard.length === 0) return
      const wanted = new Map((await wantedRows()).map((row) => [row.id, row]))
      if (isStopped) return
      for (const [id, { made }] of ears) {
        const row = wanted.get(id)
        if (row === undefined || madeOf(row) !== made) end(id)
      }
      for (const row of wanted.values()) if (!ears.has(row.id)) begin(row)
      if (again !== undefined) ears.get(again)?.wake()
    },
    stop: async (): Promise<void> => {
      isStopped = true
      const all = [...ears.values()]
      for (const id of ears.keys()) end(id)
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
