import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const COMPILER = resolve(import.meta.dirname, '../node_modules/.bin/tsc')
const run = promisify(execFile)

/**
 * What the compiler says of programs in a folder, as a project of their own.
 *
 * @param options - of the compiler, besides those that all have
 * @returns an empty text if there is no fault
 */
export async function typeFaults(folder: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = { target: 'es2022', strict: true, noEmit: true, types: [], ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout } = await run(COMPILER, ['-p', folder]).catch(
    (error: unknown) => error as { stdout: string },
  )
  return stdout
}

/** Options for how a project finds modules. */
export const resolvedBy = (resolution: 'nodenext' | 'bundler') => ({
  module: resolution === 'bundler' ? 'esnext' : 'nodenext',
  moduleResolution: resolution,
})
