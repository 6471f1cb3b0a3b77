import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Watched } from './watch-process.ts'

export interface ServiceWatch {
  /** What was measured since the last call. */
  read(): Promise<Watched>
  stop(): void
}

export type { Watched }

/** Watches a service from a separate process, so that work of the fuzzer is not mistaken for a stall. */
export async function watchService(address: string, pid: number): Promise<ServiceWatch> {
  const child = fork(join(import.meta.dirname, 'watch-process.ts'), [address, String(pid)], {
    execArgv: [],
    serialization: 'advanced',
  })
  await once(child, 'message')
  return {
    read: async () => {
      const told = once(child, 'message')
      child.send('read')
      const [watched] = (await told) as [Watched]
      return watched
    },
    stop: () => child.kill('SIGKILL'),
  }
}
