import { constants, type Stats } from 'node:fs'
import { lstat, open, realpath, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The message for a path that must not be read: the same whether or not it exists, so that it reveals nothing. */
const LOCAL_PATH_REFUSED =
  'Folders and files of the machine that this service runs on can only be read where its operator lists them: see CITEWELL_LOCAL_PATHS.'

/** A path that must not be read. */
export class LocalPathRefused extends Error {
  constructor() {
    super(LOCAL_PATH_REFUSED)
    this.name = 'LocalPathRefused'
  }
}

/** A file or folder that sources may read. All paths are real paths: symbolic links are resolved. */
export interface LocalPlace {
  path: string
  /** The listed folder that contains it. */
  root: string
  isFolder: boolean
}

export interface LocalPaths {
  /** Refuses a path outside the listed folders by its name alone, without reading the disk. */
  refuseOutside(given: string): void
  /** The file or folder at a path; undefined if it does not exist. Throws `LocalPathRefused`. */
  find(given: string): Promise<LocalPlace | undefined>
  /** A folder below or beside a place, by its full path. Throws `LocalPathRefused` if it is not a folder in the same listed folder. */
  enter(place: LocalPlace, path: string): Promise<LocalPlace>
  /**
   * Opens a regular file below or beside a place. Links are not followed, pipes and devices are never opened, and the open file is
   * checked again, so that it cannot be swapped in between (TOCTOU).
   */
  openFile(place: LocalPlace, path: string): Promise<{ handle: FileHandle; stats: Stats }>
}

/** Folders of virtual kernel file systems. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev']

/** Types of kernel file systems, wherever they are mounted: proc, sysfs, cgroup 1 and 2, devpts, debugfs, tracefs, securityfs, nsfs. */
const KERNEL_FILE_SYSTEMS = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x1cd1, 0x64626720, 0x74726163, 0x73636673, 0x6e736673,
])

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Parses a path without reading the disk. Throws unless it is an absolute path on this machine. */
function fullPathOf(given: string): string {
  let path = given.trim()
  try {
    if (/^file:/i.test(path)) path = fileURLToPath(path)
  } catch {
    throw new LocalPathRefused()
  }
  // eslint-disable-next-line no-control-regex -- exactly these are refused
  const isMalformed = /[\u0000-\u001f\u007f]/.test(path) || /^[\\/]{2}/.test(path)
  if (isMalformed || !isAbsolute(path)) throw new LocalPathRefused()
  return resolve(path)
}

const sameFile = (one: Stats, other: Stats) => one.dev === other.dev && one.ino === other.ino

/**
 * Guards the local disk: decides what sources may read.
 *
 * @param deps.roots the listed folders and files, as absolute paths; called each time, because the command line may add one
 * @param deps.never folders that are never read, even if listed: the service's own data
 */
export function createLocalPaths(deps: {
  roots: () => readonly string[]
  never: readonly string[]
}): LocalPaths {
  function rootOf(path: string): string {
    const root = deps.roots().find((listed) => isWithin(resolve(listed), path))
    if (root === undefined) throw new LocalPathRefused()
    return resolve(root)
  }

  /** Compares folders by device and inode, not by name: a folder may have several spellings and mount points. */
  async function refuseOwnData(real: string): Promise<void> {
    const own = (await Promise.all(deps.never.map((path) => stat(path).catch(() => undefined)))).filter(
      (stats) => stats !== undefined,
    )
    for (let path = real; ; path = dirname(path)) {
      const stats = await stat(path)
      if (own.some((never) => sameFile(never, stats))) throw new LocalPathRefused()
      if (path === dirname(path)) return
    }
  }

  async function refuseKernel(real: string): Promise<void> {
    if (KERNEL_FOLDERS.some((folder) => isWithin(folder, real))) throw new LocalPathRefused()
    const { type } = await statfs(real)
    if (KERNEL_FILE_SYSTEMS.has(type)) throw new LocalPathRefused()
  }

  /** The real path of something that must be within `root`; undefined if it does not exist. */
  async function realWithin(root: string, path: string): Promise<string | undefined> {
    const real = await realpath(path).catch(() => undefined)
    if (real !== undefined) {
      if (isWithin(root, real)) return real
      throw new LocalPathRefused()
    }
    // It does not exist. This is only revealed if its parent folder may be read, so that callers cannot probe other folders.
    if (path === root || path === dirname(path)) return undefined
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw new LocalPathRefused()
    await realWithin(root, dirname(path))
    return undefined
  }

  async function find(given: string): Promise<LocalPlace | undefined> {
    const path = fullPathOf(given)
    const listed = rootOf(path)
    const root = await realpath(listed).catch(() => undefined)
    if (root === undefined) return undefined
    const real = await realWithin(root, join(root, path.slice(listed.length)))
    if (real === undefined) return undefined
    await refuseKernel(real)
    await refuseOwnData(real)
    const stats = await stat(real)
    if (!stats.isFile() && !stats.isDirectory()) throw new LocalPathRefused()
    return { path: real, root, isFolder: stats.isDirectory() }
  }

  async function enter(place: LocalPlace, path: string): Promise<LocalPlace> {
    const real = await realWithin(place.root, path)
    if (real === undefined) throw new LocalPathRefused()
    const [here, there] = await Promise.all([stat(place.path), stat(real)])
    if (!there.isDirectory()) throw new LocalPathRefused()
    if (here.dev !== there.dev) await refuseKernel(real)
    await refuseOwnData(real)
    return { path: real, root: place.root, isFolder: true }
  }

  async function openFile(place: LocalPlace, path: string): Promise<{ handle: FileHandle; stats: Stats }> {
    if (!(await lstat(path)).isFile()) throw new LocalPathRefused()
    // Windows has neither of the two flags.
    const {
      O_NOFOLLOW = 0,
      O_NONBLOCK = 0,
      O_RDONLY,
    } = constants as Partial<typeof constants> & {
      O_RDONLY: number
    }
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = await handle.stat()
      const real = await realpath(path)
      const isHere = isWithin(place.root, real) && sameFile(await stat(real), stats)
      if (!stats.isFile() || !isHere) throw new LocalPathRefused()
      return { handle, stats }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  return { refuseOutside: (given) => void rootOf(fullPathOf(given)), find, enter, openFile }
}
