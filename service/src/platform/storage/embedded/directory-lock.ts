import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseJson } from '../../../kernel/json.ts'

/** Another process has the data directory open. */
export class DirectoryInUse extends Error {
  readonly holder: DirectoryHolder | undefined

  constructor(directory: string, holder: DirectoryHolder | undefined) {
    const who = holder === undefined ? 'Another process' : `Another Citewell (process ${holder.pid})`
    const where = holder?.address === undefined ? '' : `, at ${holder.address}`
    super(
      `${who} is using the data directory ${directory}${where}. Stop it first, or give this one another directory with CITEWELL_DATA_DIR.`,
    )
    this.name = 'DirectoryInUse'
    this.holder = holder
  }
}

export interface DirectoryHolder {
  pid: number
  /** Where the running service answers, once it does. */
  address: string | undefined
}

export interface DirectoryLock {
  /** Writes down where the service answers, for commands that find the directory taken. */
  announce(address: string): void
  release(): void
}

/**
 * Takes the data directory for this process alone. The lock is the operating system's own (held through SQLite's file
 * lock): it ends with the process, however that ends, and holds between containers that share the disk. The embedded
 * database takes none itself, and two processes in one directory would lose rows without an error.
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true })
  const holderFile = join(directory, 'running.json')
  const lock = new DatabaseSync(join(directory, 'lock.sqlite'))
  try {
    lock.exec(
      'pragma busy_timeout = 0; pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive',
    )
  } catch (error) {
    lock.close()
    if (!isHeldElsewhere(error)) {
      const because = error instanceof Error ? error.message : String(error)
      throw new Error(`The data directory ${directory} cannot be written to: ${because}.`, { cause: error })
    }
    throw new DirectoryInUse(directory, readHolder(directory))
  }
  const write = (holder: DirectoryHolder) => {
    try {
      writeFileSync(`${holderFile}.new`, JSON.stringify(holder))
      renameSync(`${holderFile}.new`, holderFile)
    } catch {
      // On a full disk the service runs all the same; a command then cannot tell where.
      rmSync(`${holderFile}.new`, { force: true })
    }
  }
  write({ pid: process.pid, address: undefined })
  return {
    announce: (address) => write({ pid: process.pid, address }),
    release: () => {
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. Anything else is a fault of the disk, and says so itself. */
const isHeldElsewhere = (error: unknown) =>
  error instanceof Error && 'errcode' in error && (error.errcode === 5 || error.errcode === 6)

function readHolder(directory: string): DirectoryHolder | undefined {
  try {
    const holder = parseJson(
      readFileSync(join(directory, 'running.json'), 'utf8'),
    ) as Partial<DirectoryHolder>
    return typeof holder?.pid === 'number' ? { pid: holder.pid, address: holder.address } : undefined
  } catch {
    return undefined
  }
}
