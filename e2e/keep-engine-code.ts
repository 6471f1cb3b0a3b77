/**
 * Loaded before a service of the tests, with `?file=`: it uses the compiled code of the embedded database in that file, or writes it there at
 * its end if it is the first.
 */
import { existsSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const kept = globalThis as { citewellEngineCode?: object }

// A process that has arguments for Node's memory is the service; without them it begins again with them (`bin/citewell.js`).
if (isMainThread && process.execArgv.some((argument) => argument.startsWith('--max-semi-space-size'))) {
  const { openEngineCode, writeEngineCode } = await import('../service/test/engine-code.ts')
  const file = new URL(import.meta.url).searchParams.get('file') ?? ''
  const isThere = existsSync(file)
  const code = openEngineCode(isThere ? file : undefined)
  kept.citewellEngineCode = code
  if (!isThere) process.once('exit', () => writeEngineCode(code, file))
}
