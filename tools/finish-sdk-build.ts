/**
 * The last step of `npm run build -w sdk`: declarations name each other as `.js`, as the files beside them do. The compiler rewrites only
 * the imports of programs, and older compilers do not find a declaration by `.ts`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const DIST = resolve(import.meta.dirname, '../sdk/dist')

for (const file of globSync('*.d.ts', { cwd: DIST })) {
  const path = join(DIST, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'"))
}
