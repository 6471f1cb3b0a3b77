/** Copies the repository to a temporary folder, so that mutants are never written into the tree itself. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Caches that are written in place: through a hard link that would reach the original. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest-cache'])

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (CACHES.has(entry.name)) continue
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    // Another file system, or one without links.
    copyFileSync(source, target)
  }
}

export interface TreeCopy extends Disposable {
  readonly root: string
  /** For what the tests leave behind. */
  readonly temporary: string
}

export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  // A browser that runs as another user reads its profile below it.
  chmodSync(folder, 0o755)
  const copy = join(folder, 'tree')
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0')) {
    // Files that are deleted but not committed are listed too.
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(join(root, file), join(copy, file))
  }
  for (const modules of ['node_modules', 'service/node_modules']) {
    if (existsSync(join(root, modules))) linkFolder(join(root, modules), join(copy, modules))
  }
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  return {
    root: copy,
    temporary,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
