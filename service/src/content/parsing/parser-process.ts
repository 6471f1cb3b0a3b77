import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { fromParts } from './result-parts.ts'
import {
  createGathering,
  piecesOf,
  type FromParser,
  type ParsingTask,
  type ToParser,
} from './parser-messages.ts'

/** Why a parser ended before it answered. */
export type ParserEnd = 'memory' | 'time' | 'killed' | 'crash'

export type ParserAnswer = { result: unknown } | { failure: string }

/** A parser process ended instead of answering. */
export class ParserEnded extends Error {
  readonly why: ParserEnd
  constructor(why: ParserEnd, stderrText: string) {
    super(`A parser ended (${why}). ${stderrText}`.trim())
    this.name = 'ParserEnded'
    this.why = why
  }
}

// In a release the files are JavaScript.
const ENDING = import.meta.url.slice(-3)
const SCRIPT = fileURLToPath(new URL(`./parser-worker${ENDING}`, import.meta.url))

/** All folders that it may read: the code of this service and of its packages. */
function codeFolders(): string[] {
  const own = fileURLToPath(new URL('../../', import.meta.url))
  const contract = fileURLToPath(new URL('../', import.meta.resolve('@citewell/contract/limits')))
  const packages: string[] = []
  for (let up = new URL('../', import.meta.url); up.pathname !== '/'; up = new URL('../', up)) {
    packages.push(fileURLToPath(new URL('node_modules/', up)))
    if (new URL('../', up).href === up.href) break
  }
  return [own, contract, ...packages]
}

/** Memory of a Node process besides V8's heap, including buffers for its input. */
const NON_HEAP_MB = 140
const MIN_HEAP_MB = 50

/** Address space that a Node process takes in addition: code, thread stacks, reserves of V8. */
const BASE_ADDRESS_SPACE_MB = 2_000

function flagsOf(memoryLimitMb: number): string[] {
  return [
    `--max-old-space-size=${Math.max(MIN_HEAP_MB, memoryLimitMb - NON_HEAP_MB)}`,
    // Limits the young generation: by default a busy process takes several times as much.
    '--max-semi-space-size=8',
    '--expose-gc',
    '--permission',
    '--allow-worker',
    ...codeFolders().map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    ...(ENDING === '.ts' ? ['--conditions=citewell-source'] : []),
  ]
}

/** Limits enforced by the kernel, if it supports them: no core file, first to be killed when memory is short, a limit on data memory. */
const shellLimits = (memoryLimitMb: number) =>
  [
    'ulimit -c 0',
    `ulimit -d ${(memoryLimitMb + BASE_ADDRESS_SPACE_MB) * 1024}`,
    'echo 1000 >/proc/self/oom_score_adj',
    'unset PWD OLDPWD',
  ]
    .map((command) => `{ ${command}; } 2>/dev/null`)
    .join('; ')

function startProcess(memoryLimitMb: number): ChildProcess {
  const flags = flagsOf(memoryLimitMb)
  const hasShell = process.platform !== 'win32'
  return fork(SCRIPT, [String(memoryLimitMb * 1_048_576)], {
    serialization: 'advanced',
    // Nothing of the service's environment: no keys, no tokens, no database address.
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(hasShell
      ? {
          execPath: '/bin/sh',
          execArgv: ['-c', `${shellLimits(memoryLimitMb)}; exec "$0" "$@"`, process.execPath, ...flags],
        }
      : { execPath: process.execPath, execArgv: flags }),
  })
}

function environment(): Record<string, string> {
  return {
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // Returns freed buffers to the system.
    MALLOC_ARENA_MAX: '2',
  }
}

const MAX_OUTPUT_LENGTH = 2_000

/**
 * Starts a process that parses one task at a time. It may read code and nothing else, start no process, and use a limited amount of memory;
 * it ends with the service.
 */
export function startParser(memoryLimitMb: number) {
  const child = startProcess(memoryLimitMb)
  let rested = Promise.withResolvers<number>()
  let stderrText = ''
  let end: ParserEnded | undefined
  let isKilled = false
  let onMessage: (message: FromParser) => void = () => {}
  let onEnd: (ended: ParserEnded) => void = () => {}
  const hasEnded = Promise.withResolvers<void>()
  const isReady = Promise.withResolvers<void>()
  isReady.promise.catch(() => {})

  const finish = (why: ParserEnd) => {
    if (end !== undefined) return
    end = new ParserEnded(why, stderrText.slice(0, 300))
    isReady.reject(end)
    onEnd(end)
    rested.resolve(Number.POSITIVE_INFINITY)
    hasEnded.resolve()
  }
  child.stderr?.on('data', (text: Buffer) => {
    if (stderrText.length < MAX_OUTPUT_LENGTH) stderrText += text.toString('latin1')
  })
  child.on('message', (message) => {
    const parserMessage = message as FromParser
    if (parserMessage === 'ready') isReady.resolve()
    else if ('memory' in parserMessage) rested.resolve(parserMessage.memory)
    else onMessage(parserMessage)
  })
  child.on('error', () => finish('crash'))
  child.on('exit', (_code, signal) => finish(isKilled ? 'killed' : endOf(signal, stderrText)))

  const post = (message: ToParser) =>
    new Promise<void>((resolve) => {
      // If a message cannot be sent, the exit of the process is reported instead.
      if (child.connected) child.send(message, undefined, {}, () => resolve())
      else resolve()
    })

  const ref = (isBusy: boolean) => {
    if (isBusy) child.ref()
    else child.unref()
    if (isBusy) child.channel?.ref()
    else child.channel?.unref()
    const output = child.stderr as unknown as { ref(): void; unref(): void } | null
    if (isBusy) output?.ref()
    else output?.unref()
  }
  ref(false)

  /** @throws ParserEnded */
  async function run(task: ParsingTask, bytes: Uint8Array, onStarted: () => void): Promise<ParserAnswer> {
    ref(true)
    rested = Promise.withResolvers()
    try {
      await isReady.promise
      if (end !== undefined) throw end
      onStarted()
      const answered = Promise.withResolvers<ParserAnswer>()
      answered.promise.catch(() => {})
      onEnd = (ended) => answered.reject(ended)
      onMessage = gatherAnswer(task.kind, answered.resolve)
      await post({ task, bytes: bytes.byteLength })
      for (const piece of piecesOf(bytes)) {
        if (end !== undefined) break
        await post(piece)
      }
      return await answered.promise
    } finally {
      onMessage = () => {}
      onEnd = () => {}
      // Until it is idle, other tasks may wait for it.
      void rested.promise.then(() => ref(false))
    }
  }

  async function kill(): Promise<void> {
    isKilled = true
    child.ref()
    child.kill('SIGKILL')
    await hasEnded.promise
  }

  return {
    run,
    kill,
    pid: child.pid,
    /** Resident memory in bytes, once the last task is released. */
    rested: () => rested.promise,
    /** It has ended, or was told to. */
    isEnding: () => isKilled || end !== undefined,
  }
}

export type Parser = ReturnType<typeof startParser>

function gatherAnswer(
  kind: ParsingTask['kind'],
  settle: (answer: ParserAnswer) => void,
): (message: FromParser) => void {
  let gathering: ReturnType<typeof createGathering> | undefined
  let lengths: number[] = []
  return (message) => {
    if (message === 'ready' || 'memory' in message) return
    if (message instanceof Uint8Array) gathering?.add(message)
    else if ('failure' in message) settle({ failure: message.failure })
    else {
      lengths = message.parts
      gathering = createGathering(message.parts.reduce((sum, length) => sum + length, 0))
    }
    if (gathering?.isComplete() !== true) return
    void readParts(gathering.whole, lengths).then((parts) => settle({ result: fromParts(kind, parts) }))
  }
}

/** Parts are read on the thread that answers requests, which yields to them this often. */
const YIELD_EVERY_MS = 10

async function readParts(whole: Uint8Array, lengths: readonly number[]): Promise<unknown[]> {
  const read: unknown[] = []
  let at = 0
  let began = performance.now()
  for (const length of lengths) {
    read.push(deserialize(whole.subarray(at, at + length)))
    at += length
    if (performance.now() - began > YIELD_EVERY_MS) {
      await nextTurn()
      began = performance.now()
    }
  }
  return read
}

/**
 * The watchdog ends the process by SIGXCPU for time, and by SIGKILL for memory, as the kernel does; V8 reports a full heap in its output.
 */
function endOf(signal: NodeJS.Signals | null, stderrText: string): ParserEnd {
  if (signal === 'SIGXCPU') return 'time'
  const isMemory = signal === 'SIGKILL' || /out of memory|allocation failed|bad_alloc/i.test(stderrText)
  return isMemory ? 'memory' : 'crash'
}
