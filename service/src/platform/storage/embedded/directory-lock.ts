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
  /** The address of the running service, once it listens. */
  address: string | undefined
}

export interface DirectoryLock {
  /** Records the address of the service, for commands that find the directory locked. */
  announce(address: string): void
  release(): void
}

/**
 * Locks the data directory for this process. The lock belongs to the operating system (SQLite's file lock): it ends with the process,
 * however that ends, and works between containers that share the disk. The embedded database takes no lock itself, and two processes in
 * one directory would lose rows without an error.
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
      throw new Error(`The data directory ${directory} is not writable: ${because}.`, { cause: error })
    }
    throw new DirectoryInUse(directory, readHolder(directory))
  }
  const write = (holder: DirectoryHolder) => {
    try {
      writeFileSync(`${holderFile}.new`, JSON.stringify(holder))
      renameSync(`${holderFile}.new`, holderFile)
    } catch {
      // On a full disk the service runs nevertheless; commands then do not know its address.
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

/** SQLITE_BUSY and SQLITE_LOCKED. Any other code is a disk error with its own message. */
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
