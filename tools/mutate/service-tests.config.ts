/** The tests of the service as `npm run mutate` runs them: one after the other in a worker that stays, on code with marks. */
import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import rootConfig from '../../vitest.config.ts'
import { keptWorkers } from './kept-worker.ts'
import { withProbes } from './probes.ts'

const { plugins = [], test = {}, ...config } = rootConfig
const { projects = [], ...shared } = test
const service = projects.find(
  (project): project is TestProjectInlineConfiguration =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'service',
)

const marks: Plugin = {
  name: 'marks',
  enforce: 'pre',
  transform(text, id) {
    const file = relative(process.cwd(), id.replace(/\?.*/, ''))
    return /^service\/src\/.*(?<!\.test)\.ts$/.test(file)
      ? { code: withProbes(text, file), map: null }
      : undefined
  },
}

export default defineConfig({
  ...config,
  plugins: [...plugins, marks],
  test: {
    ...shared,
    ...service?.test,
    root: process.cwd(),
    setupFiles: [service?.test?.setupFiles ?? [], 'tools/mutate/begin-test-file.ts'].flat(),
    isolate: false,
    maxWorkers: 1,
    pool: keptWorkers,
  },
})
