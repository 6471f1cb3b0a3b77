import { setImmediate } from 'node:timers/promises'
import { mediaTypeOfFile } from '../../parsing/parsing.ts'
import { pathPatterns } from '../glob.ts'
import { isPartOfAntora } from './antora.ts'
import type { TreeFile } from './file-tree.ts'

/** Text files that are not documentation, in any folder. */
const NOT_DOCUMENTATION =
  /(^|\/)(\.[^/]+\/|node_modules\/|vendor\/|third_party\/|__snapshots__\/|(requirements[^/]*|robots|humans|CMakeLists|license|licence|copying|notice|authors)\.(txt|md|rst)$)/i

/** By convention `_part.md` is included by other pages; `_index.md` is a page. */
const PARTIAL = /(^|\/)_(?!index\.)[^/]*\.(mdx?|rst|adoc|asciidoc)$/i

/** A document is named by its path; longer paths are skipped. */
const MAX_PATH_CHARACTERS = 1_000
export const LONG_PATH = `Files whose path is longer than ${MAX_PATH_CHARACTERS.toLocaleString('en')} characters are left out.`

/** How long patterns may be matched before yielding to the event loop. */
const SLICE_MS = 10

/** The files that become documents, sorted by path. */
export async function chooseFiles(
  files: readonly TreeFile[],
  config: { include: readonly string[]; exclude: readonly string[]; signal: AbortSignal },
  onLeftOut: (path: string, reason: string) => void,
): Promise<TreeFile[]> {
  const include = pathPatterns(config.include)
  const exclude = pathPatterns(config.exclude)

  function exclusionReason(path: string): string | undefined {
    if (mediaTypeOfFile(path) === undefined) return 'not a document'
    if (path.length > MAX_PATH_CHARACTERS) return LONG_PATH
    const pattern = exclude.find(path)
    if (pattern !== undefined) return `excluded by the pattern ${pattern}`
    if (config.include.length > 0)
      return include.find(path) === undefined ? 'no include pattern matches' : undefined
    return NOT_DOCUMENTATION.test(path) || PARTIAL.test(path) || isPartOfAntora(path)
      ? 'not documentation by its name'
      : undefined
  }

  const chosen: TreeFile[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const file of files) {
    const reason = exclusionReason(file.path)
    if (reason === undefined) chosen.push(file)
    else onLeftOut(file.path, reason)
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    config.signal.throwIfAborted()
    sliceEnd = performance.now() + SLICE_MS
  }
  return chosen.sort((one, other) => (one.path < other.path ? -1 : 1))
}
