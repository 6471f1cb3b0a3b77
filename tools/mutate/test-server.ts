/** A child process of `npm run mutate`: keeps one Vitest open and runs the test file that its parent names. */
import { join } from 'node:path'
import { createVitest, type TestCase, type Vitest } from 'vitest/node'
import { endWorker } from './kept-worker.ts'

export interface TestRequest {
  /** Files that changed since the last request. */
  readonly changed: readonly string[]
  readonly test: string
  /** Whether to run it in a new process. */
  readonly isFresh: boolean
}

export interface TestOutcome {
  /** The first test that failed, with its message, or what else went wrong. Undefined if the file passed. */
  readonly failure: string | undefined
  /** The marks that it passed. */
  readonly reached: readonly string[]
}

/** A run that is cancelled twice is ended with its process. */
let isCancelled = false

const vitest: Vitest = await createVitest('test', {
  watch: false,
  config: join(import.meta.dirname, 'service-tests.config.ts'),
  // The setting `bail` ends the next run too, when its message comes late.
  reporters: [
    {
      onTestCaseResult: (testCase: TestCase) => {
        if (isCancelled || testCase.result().state !== 'failed') return
        isCancelled = true
        void vitest.cancelCurrentRun('test-failure')
      },
    },
  ],
})
await vitest.globTestSpecifications()

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message).slice(0, 300)
    : String(error)

async function run({ changed, test, isFresh }: TestRequest): Promise<TestOutcome> {
  if (isFresh) await endWorker()
  isCancelled = false
  for (const file of changed) vitest.invalidateFile(file)
  for (const project of vitest.projects) project.provide('changedFiles', changed)
  const specifications = vitest.getModuleSpecifications(test)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false)
  // Vitest tells the modules of all its runs.
  const testModule = testModules.find(({ moduleId }) => moduleId === test)
  if (testModule === undefined) return { failure: 'It is not a test file.', reached: [] }
  const { reached = [] } = testModule.meta()
  for (const failed of testModule.children.allTests('failed')) {
    const [error] = failed.result().errors ?? []
    return { failure: `${failed.fullName}: ${messageOf(error)}`, reached }
  }
  const [error] = [...testModule.errors(), ...unhandledErrors]
  if (error !== undefined) return { failure: messageOf(error), reached }
  return { failure: testModule.state() === 'passed' ? undefined : `It is ${testModule.state()}.`, reached }
}

process.on('message', (request: TestRequest) => {
  void run(request)
    .catch((error: unknown) => ({ failure: String(error), reached: [] }))
    .then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => {
  void vitest.close().finally(() => process.exit())
})
process.send?.('ready')
