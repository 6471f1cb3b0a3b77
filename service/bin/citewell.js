#!/usr/bin/env -S node --conditions=citewell-source
// Read by any Node: it finds one that can run the service (24.15 or newer, this one or the one that `npm ci` brought) before
// anything of the service is loaded.
import { spawn } from 'node:child_process'
import * as module from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CONDITION = '--conditions=citewell-source'

/**
 * MiB of each half of the young generation, in every thread. V8 takes 16 to 64 by the size of the machine and never gives them back: with
 * five threads that is a third of the service's memory (docs/decisions/2026-11-22-memory-of-threads.md).
 */
const YOUNG_GENERATION = '--max-semi-space-size=8'

/**
 * Percent by which a heap may grow beyond what the last collection left in use before the next one begins. What V8 chooses itself has a
 * service that answers questions hold 100 MB of what nobody uses any more (same decision record).
 */
const HEAP_GROWTH = '--heap-growing-percent=30'

/**
 * Settings of glibc's allocator, which the model's native library and V8's compiler use: one arena instead of eight for each core, blocks of
 * 64 KiB and more go back to the system when they are freed, and large ones are taken from it in pages of 2 MiB, where it offers them (same
 * decision record). Other systems ignore them.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
}

const script = fileURLToPath(import.meta.url)
const words = process.argv.slice(2)
/** Commands that run the service; the others end before memory matters. */
const runsService = ['up', 'serve'].includes(words[0])
const flags = runsService ? [CONDITION, YOUNG_GENERATION, HEAP_GROWTH] : [CONDITION]
// oxlint-disable-next-line node/no-process-env -- passed on whole to the process that runs the service
const environment = runsService ? { ...ALLOCATOR, ...process.env } : process.env

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) await run()
else runWithOwnNode()

/** In this process, which begins again with the flags that it lacks. */
async function run() {
  const isMissing = flags.some((flag) => !process.execArgv.includes(flag))
  if (isMissing && process.execve !== undefined && process.platform !== 'win32') {
    process.execve(
      process.execPath,
      [process.execPath, ...process.execArgv, ...flags, script, ...words],
      environment,
    )
  }
  keepCompiledCode()
  await import('../src/app/main.ts')
}

/**
 * Compiled code is kept between runs, which halves the time until a command begins. In the user's own folder and not in Node's default, the
 * folder of temporary files: anyone on the machine could have put other code there.
 */
function keepCompiledCode() {
  try {
    // oxlint-disable-next-line node/no-process-env -- a folder of the user, which no setting of the service names
    const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
    module.enableCompileCache(join(caches, 'citewell', 'code'))
  } catch {
    // A user without a home.
  }
}

function ownNode() {
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  try {
    const folder = dirname(module.createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', isWindows ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

function runWithOwnNode() {
  const node = ownNode()
  if (node === undefined) {
    process.stderr.write(
      `✗ Citewell runs on Node 24.15 or newer; this is ${process.versions.node}. Run npm ci in its folder, or install a newer Node.\n`,
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, [...flags, script, ...words], { stdio: 'inherit', env: environment })
  // Ctrl+C reaches both at a terminal; what is sent to this process alone is passed on.
  const isAtTerminal = process.stdin.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isAtTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    process.stderr.write(`✗ ${node} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
