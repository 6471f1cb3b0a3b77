/** A child process of `npm run mutate`: keeps one Vitest open and runs the test file that its parent names. */
import { createVitest, type TestCase, type Vitest } from 'vitest/node'

export interface TestRequest {
  /** Files that changed since the last request. */
  readonly changed: readonly string[]
  readonly test: string
}

export interface TestOutcome {
  /** The first test that failed, with its message, or what else went wrong. Undefined if the file passed. */
  readonly failure: string | undefined
}

const vitest: Vitest = await createVitest('test', {
  watch: false,
  project: ['service'],
  // The setting `bail` ends the next run too, when its message comes late.
  reporters: [
    {
      onTestCaseResult: (testCase: TestCase) => {
        if (testCase.result().state === 'failed') void vitest.cancelCurrentRun('test-failure')
      },
    },
  ],
})
await vitest.globTestSpecifications()

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message).slice(0, 300)
    : String(error)

async function run({ changed, test }: TestRequest): Promise<TestOutcome> {
  for (const file of changed) vitest.invalidateFile(file)
  const specifications = vitest.getModuleSpecifications(test)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false)
  // Vitest tells the modules of all its runs.
  const testModule = testModules.find(({ moduleId }) => moduleId === test)
  if (testModule === undefined) return { failure: 'It is not a test file.' }
  for (const failed of testModule.children.allTests('failed')) {
    const [error] = failed.result().errors ?? []
    return { failure: `${failed.fullName}: ${messageOf(error)}` }
  }
  const [error] = [...testModule.errors(), ...unhandledErrors]
  if (error !== undefined) return { failure: messageOf(error) }
  return { failure: testModule.state() === 'passed' ? undefined : `It is ${testModule.state()}.` }
}

process.on('message', (request: TestRequest) => {
  void run(request)
    .catch((error: unknown) => ({ failure: String(error) }))
    .then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => {
  void vitest.close().finally(() => process.exit())
})
process.send?.('ready')
