import { mediaTypeOfFile } from '../../parsing/parsing.ts'
import { compileGlob } from '../glob.ts'
import type { TreeFile } from './file-tree.ts'

/** Text that is no documentation, wherever it lies. */
const NOT_DOCUMENTATION =
  /(^|\/)(\.[^/]+\/|node_modules\/|vendor\/|third_party\/|__snapshots__\/|(requirements[^/]*|robots|humans|CMakeLists|license|licence|copying|notice|authors)\.(txt|md|rst)$)/i

/** `_part.md` is put into other pages by those who name it so; `_index.md` is a page. */
const PARTIAL = /(^|\/)_(?!index\.)[^/]*\.(mdx?|rst)$/i

/** The files that become documents, in the order of their paths. */
export function chooseFiles(
  files: readonly TreeFile[],
  config: { include: readonly string[]; exclude: readonly string[] },
  onLeftOut: (path: string, reason: string) => void,
): TreeFile[] {
  const include = config.include.map((pattern) => compileGlob(pattern))
  const exclude = config.exclude.map((pattern) => ({ pattern, matches: compileGlob(pattern) }))

  function leavesOut(path: string): string | undefined {
    if (mediaTypeOfFile(path) === undefined) return 'not a document'
    const excluded = exclude.find(({ matches }) => matches(path))
    if (excluded !== undefined) return `excluded by the pattern ${excluded.pattern}`
    if (include.length > 0)
      return include.some((matches) => matches(path)) ? undefined : 'no include pattern matches'
    return NOT_DOCUMENTATION.test(path) || PARTIAL.test(path) ? 'not documentation by its name' : undefined
  }

  return files
    .filter(({ path }) => {
      const reason = leavesOut(path)
      if (reason !== undefined) onLeftOut(path, reason)
      return reason === undefined
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}
