import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface ProcessMemory {
  pid: number
  /** Private memory; file-backed shared memory is not counted. */
  bytes: number
}

const run = promisify(execFile)

/** What a file of /proc says; an empty text where its process has ended meanwhile. */
const readOf = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')

/** The process tree from Linux's /proc: a few small reads, without starting a process. */
async function readProc(root: number): Promise<ProcessMemory[]> {
  const found: ProcessMemory[] = []
  const level = [root]
  for (let pid = level.shift(); pid !== undefined; pid = level.shift()) {
    const status = await readOf(pid, 'status')
    // It has ended: its number may soon be that of another.
    if (status === '') continue
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) =>
      Number(size),
    )
    found.push({ pid, bytes: kilobytes.reduce((sum, one) => sum + one, 0) * 1_024 })
    level.push(...(await readOf(pid, `task/${pid}/children`)).split(' ').filter(Boolean).map(Number))
  }
  return found
}

/** Not every kernel lists the children of a process. */
const listsChildren = () => existsSync(`/proc/self/task/${process.pid}/children`)

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
  if (listsChildren()) return await readProc(pid)
  return await readPs(pid).catch(() => [])
}
