/** Runs single test files in a copy of the tree, in one process that is kept open, and replaced when it hangs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TreeCopy } from './copy-tree.ts'
import type { TestOutcome, TestRequest } from './test-server.ts'

/** The longest time for one test file. The slowest takes a third of it. */
const LIMIT_MS = 240_000

export interface TestRunner {
  run: (test: string, given?: { isFresh?: boolean; limitMs?: number }) => Promise<TestOutcome>
  /** Tells that a file of the copy was written. */
  changed: (file: string) => void
  close: () => Promise<void>
}

export function createTestRunner(copy: TreeCopy): TestRunner {
  let server: Promise<ChildProcess> | undefined
  let changed: string[] = []

  async function start(): Promise<ChildProcess> {
    const child = fork(join(copy.root, 'tools/mutate/test-server.ts'), {
      cwd: copy.root,
      env: { ...process.env, TMPDIR: copy.temporary, CI: 'true' },
      // A group of its own, so that its workers end with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return child
  }

  function end(child: ChildProcess): void {
    server = undefined
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }

  const run: TestRunner['run'] = async (test, { isFresh = false, limitMs = LIMIT_MS } = {}) => {
    server ??= start()
    const child = await server
    const request: TestRequest = { changed, test: join(copy.root, test), isFresh }
    changed = []
    const stop = new AbortController()
    const { signal } = stop
    child.send(request)
    const outcome = await Promise.race([
      once(child, 'message', { signal }).then(([answer]: unknown[]) => answer as TestOutcome),
      once(child, 'exit', { signal }).then(() => ({
        failure: 'The tests ended their process.',
        reached: [],
      })),
      wait(limitMs, { failure: 'The tests did not end.', reached: [] }, { signal }),
    ])
    stop.abort()
    if (/^The tests (?:ended|did)/.test(outcome.failure ?? '')) end(child)
    return outcome
  }

  return {
    run,
    changed: (file) => changed.push(join(copy.root, file)),
    close: async () => {
      if (server !== undefined) end(await server)
    },
  }
}
