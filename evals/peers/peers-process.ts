/** One measurement per process: systems share neither a heap nor a cache of questions. */
import type { Measured, IndexedSet, Task } from './measured.ts'

/** The task of the process. */
export type Job =
  | { does: 'index'; task: Task }
  | { does: 'ask Citewell'; task: Task; indexed: IndexedSet }
  | { does: 'ask a peer'; task: Task; peer: string }

/** Code of one system is not loaded for another. */
async function measure(job: Job): Promise<IndexedSet | Measured> {
  if (job.does === 'ask a peer')
    return await (await import('./measure-peer.ts')).measurePeer(job.peer, job.task)
  const { indexCitewell, measureCitewell } = await import('./measure-citewell.ts')
  return job.does === 'index' ? await indexCitewell(job.task) : await measureCitewell(job.task, job.indexed)
}

process.once('message', (job: Job) => {
  measure(job).then(
    (answer) => process.send?.({ answer }, () => process.exit()),
    (fault: unknown) => process.send?.({ fault: String(fault) }, () => process.exit(1)),
  )
})
