import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import { createRunSlots } from '../../platform/jobs/run-slots.ts'
import {
  claimNextRun,
  doesIdleWorkspaceWait,
  requeueAbandonedRuns,
  type FairRunsDb,
  type HeldRun,
  type RunTables,
} from './fair-runs-store.ts'

export { claimNextRun, type HeldRun } from './fair-runs-store.ts'

export interface FairRunsDeps<Table extends RunTables> {
  db: FairRunsDb
  table: Table
  jobName: string
  jobs: Pick<Jobs, 'enqueue'>
  /**
   * Runs it to its end, or until `isTurnOver`: then it makes it wait again, and goes on later where it was.
   *
   * @throws what its owner is not told
   */
  run: (
    held: HeldRun<Table>,
    given: { shutdown: AbortSignal; isTurnOver: () => Promise<boolean> },
  ) => Promise<void>
  newId: () => string
  now: () => Date
  report: (fault: unknown, doing: string) => void
}

/** Runs of a process at a time. They wait for a language model, or share this machine's embedding model with readers. */
const MOST_RUNS = 4
/** Of a workspace, in all processes: the others must not wait for its last one. */
const MOST_OF_A_WORKSPACE = 2
/** After so long a run makes room for a workspace that has none. */
const TURN_MS = 60_000

/**
 * Long runs of bases, which are done beside each other and take turns by workspace: one that takes hours holds up nobody for more than a
 * minute.
 */
export function createFairRuns<Table extends RunTables>(deps: FairRunsDeps<Table>) {
  const { db, table, jobName, jobs, newId, now, report } = deps
  const wake = () => jobs.enqueue(jobName, {})

  const slots = createRunSlots<HeldRun<Table>>({
    most: MOST_RUNS,
    claim: (_running, served) =>
      claimNextRun(db, table, { lease: newId(), now: now(), mostOfAWorkspace: MOST_OF_A_WORKSPACE, served }),
    ownerOf: (held) => held,
    run: async (held, shutdown) => {
      const turnEnds = performance.now() + TURN_MS
      const isTurnOver = async () => performance.now() > turnEnds && (await doesIdleWorkspaceWait(db, table))
      await deps
        .run(held, { shutdown, isTurnOver })
        .catch((fault: unknown) => report(fault, `a run of the job ${jobName}`))
    },
  })

  const job: Job = {
    name: jobName,
    // A job only signals that something waits: one of the two stays until nothing runs any more, the other one picks up what is new.
    concurrency: 2,
    handle: async (_data, signal) => {
      if (!(await slots.work(signal))) await wake()
    },
  }

  return {
    wake,
    /** Continues what a crash interrupted, and what waits; pass 0 if no other process can be at work. */
    recover: async (abandonedAfterSeconds: number): Promise<void> => {
      const before = new Date(now().getTime() - abandonedAfterSeconds * 1_000)
      if (await requeueAbandonedRuns(db, table, { before, now: now() })) await wake()
    },
    job,
  }
}
