/**
 * The last step of a package's build (`node tools/finish-declarations.ts sdk/dist`): declarations name each other as `.js`, as the files
 * beside them do. The compiler rewrites only the imports of programs, and older compilers do not find a declaration by `.ts`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '..', process.argv[2] ?? 'sdk/dist')

for (const file of globSync('**/*.d.ts', { cwd: folder })) {
  const path = join(folder, file)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/from '(\.{1,2}\/[\w./-]+)\.tsx?'/g, "from '$1.js'"),
  )
}
