import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface ProcessMemory {
  pid: number
  /** Private memory; file-backed shared memory is not counted. */
  bytes: number
}

const run = promisify(execFile)

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

async function memoryOf(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size))
  return { pid, bytes: kilobytes.reduce((sum, one) => sum + one, 0) * 1_024 }
}

/** The process tree from Linux's /proc: a few small reads, without starting a process. */
async function readProc(pid: number): Promise<ProcessMemory[]> {
  const found: ProcessMemory[] = [await memoryOf(pid)]
  const level = [pid]
  for (let next = level.shift(); next !== undefined; next = level.shift()) {
    for (const child of await childrenOf(next)) {
      level.push(child)
      const memory = await memoryOf(child).catch(() => undefined)
      if (memory !== undefined) found.push(memory)
    }
  }
  return found
}

/** The process tree on other systems. */
async function readPs(root: number): Promise<ProcessMemory[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,rss='])
  const all = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, bytes: kilobytes * 1_024 }))
  const tree = new Set([root])
  for (const one of all.toSorted((a, b) => a.pid - b.pid)) if (tree.has(one.parent)) tree.add(one.pid)
  return all.filter(({ pid }) => tree.has(pid)).map(({ pid, bytes }) => ({ pid, bytes }))
}

/** The memory of a process and all its descendants. Empty if it cannot be determined. */
export async function memoryOfTree(pid: number): Promise<ProcessMemory[]> {
  try {
    return await readProc(pid)
  } catch {
    return await readPs(pid).catch(() => [])
  }
}
