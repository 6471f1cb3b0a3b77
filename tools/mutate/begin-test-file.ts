/**
 * Runs before each test file of `npm run mutate`, in a worker that stays: forgets what changed, with all that imports it, and collects what
 * the file executes.
 */
import { afterAll, inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    changedFiles: readonly string[]
  }
  interface TaskMeta {
    reached?: string[]
  }
}

interface Module {
  readonly importers: ReadonlySet<string>
}
interface Modules {
  readonly fileToModulesMap: ReadonlyMap<string, ReadonlySet<Module>>
  readonly idToModuleMap: ReadonlyMap<string, Module>
  invalidateModule: (module: Module) => void
}
const state = globalThis as { reachedByTest?: Set<string> }
const { ['__vitest_worker__']: worker } = globalThis as {
  __vitest_worker__?: { evaluatedModules: Modules }
}

function forget(modules: Modules, files: readonly string[]): void {
  const forgotten = new Set(files.flatMap((file) => [...(modules.fileToModulesMap.get(file) ?? [])]))
  for (const module of forgotten) {
    for (const importer of module.importers) {
      const found = modules.idToModuleMap.get(importer)
      if (found !== undefined) forgotten.add(found)
    }
  }
  for (const module of forgotten) modules.invalidateModule(module)
}

if (worker !== undefined) forget(worker.evaluatedModules, inject('changedFiles'))
state.reachedByTest = new Set()

// oxlint-disable-next-line no-empty-pattern -- Vitest takes fixtures first, and nothing but a pattern
afterAll(({}, file) => {
  file.meta.reached = [...(state.reachedByTest ?? [])]
})
