import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  } catch {
    lock.close()
    throw new DirectoryInUse(directory, readHolder(directory))
  }
  const write = (holder: DirectoryHolder) => writeFileSync(holderFile, JSON.stringify(holder))
  write({ pid: process.pid, address: undefined })
  return {
    announce: (address) => write({ pid: process.pid, address }),
    release: () => {
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

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
