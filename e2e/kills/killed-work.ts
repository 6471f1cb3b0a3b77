import type { RunningCitewell } from '../run-citewell.ts'

/** How often the process is ended: with the first round what is new is interrupted, with the second what replaces it. `npm run test:kills` has twenty. */
export const KILLS = Number(process.env['KILL_ROUNDS'] ?? 1)

/** How long work may take until it is done without help. On a server the other processes wait until the lease of an attempt has expired. */
export const SECONDS_TO_END = 120

/** Work that the kills interrupt. It collects what it sees; the tests judge that after the last kill. */
export interface KilledWork extends AsyncDisposable {
  /** Brings the work of a round so far that the process may be ended in the middle of it. */
  begin(citewell: RunningCitewell, round: number): Promise<void>
  /** Looks at what is there right after the next start. */
  look(citewell: RunningCitewell, round: number): Promise<void>
  /** Waits until all is done. */
  end(citewell: RunningCitewell): Promise<void>
}
