import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { IndexedSet, Measured } from './measured.ts'
import type { Job } from './peers-process.ts'

type Said<Answer> = { answer: Answer } | { fault: string }

async function runInProcess<Answer>(job: Job): Promise<Answer> {
  const child = fork(join(import.meta.dirname, 'peers-process.ts'), {
    execArgv: ['--conditions=citewell-source'],
  })
  return await new Promise<Answer>((resolve, reject) => {
    child.once('message', (said: Said<Answer>) => {
      if ('answer' in said) resolve(said.answer)
      else reject(new Error(said.fault))
    })
    child.once('exit', () => reject(new Error(`The process to ${job.does} ended before it answered.`)))
    child.send(job)
  })
}

export const indexInProcess = (job: Job & { does: 'index' }) => runInProcess<IndexedSet>(job)
export const measureInProcess = (job: Exclude<Job, { does: 'index' }>) => runInProcess<Measured>(job)
