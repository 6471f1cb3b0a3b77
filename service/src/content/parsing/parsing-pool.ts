import { Refusal } from '../../kernel/refusal.ts'
import { createFairQueue } from './fair-queue.ts'
import { ParseFailure } from './parse-failure.ts'
import { nameOf, timeLimitOf, workLimitOf, type ParseLimits } from './parse-limits.ts'
import type { ParseShare } from './parse-share.ts'
import type { ParsingTask } from './parser-messages.ts'
import { ParserEnded, startParser, type Parser, type ParserAnswer } from './parser-process.ts'
import { createParserAdmission } from './parser-admission.ts'

export interface PoolLimits extends ParseLimits {
  /** Maximum concurrent parser processes, started on demand. If there are several, one is reserved for awaited work. */
  workers: number
}

export interface ToParse {
  task: Omit<ParsingTask, 'workLimitMs'>
  bytes: Uint8Array
  share: ParseShare
  signal: AbortSignal | undefined
}

const CLOSED = 'The service is shutting down.'

/** An idle parser ends after this: it takes some hundred megabytes. */
const IDLE_MS = 45_000

/** A parser that holds more than this share of its memory limit is replaced. */
const MAX_MEMORY_SHARE = 0.6

/** How long a parser may go on after its task was cancelled: most tasks finish by then, and a new parser takes longer to start. */
const GRACE_MS = 250

const START_MS = 60_000

/** Maximum waiting tasks of one base. Syncs read only a few documents ahead; more than this is a client that sends without waiting. */
const MAX_WAITING = 200
const MAX_WAITING_BYTES = 256 * 1_048_576

interface Waiting {
  task: ToParse['task']
  given: Uint8Array
  bytes: number
  share: ParseShare
  /** Nobody waits for its result any more. */
  isDropped: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Runs tasks in separate processes, each one at a time. Callers wait for their own tasks, so that the number of documents in memory is that
 * of the callers. A process that is slow, too large or broken is replaced.
 */
export function createParsingPool(limits: PoolLimits) {
  const awaited = createFairQueue<Waiting>()
  const behind = createFairQueue<Waiting>()
  const queueOf = ({ isAwaited }: ParseShare) => (isAwaited ? awaited : behind)
  const turns = createParserAdmission(limits.workers)
  const idle: { parser: Parser; timer: NodeJS.Timeout }[] = []
  const all = new Set<Parser>()
  const running = new Map<Waiting, Parser>()
  let isClosed = false

  function takeIdle(): Parser | undefined {
    for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
      clearTimeout(free.timer)
      if (!free.parser.isEnding()) return free.parser
      all.delete(free.parser)
    }
    return undefined
  }

  function startNew(): Parser {
    const parser = startParser(limits.memoryLimitMb)
    all.add(parser)
    return parser
  }

  function release(parser: Parser, memory: number) {
    if (isClosed || parser.isEnding() || memory > limits.memoryLimitMb * 1_048_576 * MAX_MEMORY_SHARE) {
      void end(parser)
      return
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((each) => each.parser === parser),
        1,
      )
      void end(parser)
    }, IDLE_MS)
    timer.unref()
    idle.push({ parser, timer })
  }

  async function end(parser: Parser) {
    all.delete(parser)
    await parser.kill()
  }

  function next() {
    if (isClosed) return
    for (;;) {
      const waiting = awaited.take(turns.mayStart) ?? behind.take(turns.mayStart)
      if (waiting === undefined) return
      turns.begin(waiting.share)
      void read(waiting).finally(() => {
        turns.end(waiting.share)
        next()
      })
    }
  }

  /**
   * A parser that has read others before may have ended for a reason that is not this document's: the system ends parsers first when memory
   * is short. A new one tries once more.
   */
  async function read(waiting: Waiting): Promise<void> {
    const used = takeIdle()
    const failed = await runOn(used ?? startNew(), waiting)
    if (failed === undefined) return
    const triesAgain = used !== undefined && !failed.isTime && !waiting.isDropped && !isClosed
    const last = triesAgain ? await runOn(startNew(), waiting) : failed
    if (last !== undefined) waiting.reject(last.failure)
  }

  /** @returns why the parser ended instead of answering; undefined if it answered */
  async function runOn(
    parser: Parser,
    waiting: Waiting,
  ): Promise<{ failure: ParseFailure; isTime: boolean } | undefined> {
    const { task, bytes, share } = waiting
    const { mediaType } = task.input
    running.set(waiting, parser)
    const measured = { mediaType, bytes, isAwaited: share.isAwaited }
    const timeLimitMs = timeLimitOf(measured, limits)
    const workLimitMs = workLimitOf(measured, limits)
    let isLate = false
    const giveUp = () => {
      isLate = true
      void end(parser)
    }
    let timer = setTimeout(giveUp, START_MS)
    try {
      const answer = await parser.run({ ...task, workLimitMs }, waiting.given, () => {
        clearTimeout(timer)
        timer = setTimeout(giveUp, timeLimitMs)
      })
      clearTimeout(timer)
      settle(waiting, answer)
      release(parser, await parser.rested())
      return undefined
    } catch (error) {
      void end(parser)
      const isTime = isLate || (error instanceof ParserEnded && error.why === 'time')
      const limitMs = isLate ? timeLimitMs : workLimitMs
      const reason = reasonOf(error, mediaType, isTime ? limitMs : undefined)
      return { failure: new ParseFailure(reason, { cause: error }), isTime }
    } finally {
      clearTimeout(timer)
      running.delete(waiting)
    }
  }

  function settle({ resolve, reject }: Waiting, answer: ParserAnswer) {
    if ('failure' in answer) reject(new ParseFailure(answer.failure))
    else resolve(answer.result)
  }

  /** @param limitMs - the time that was exceeded, if it was */
  function reasonOf(error: unknown, mediaType: string, limitMs: number | undefined): string {
    if (isClosed) return CLOSED
    const name = nameOf(mediaType)
    if (limitMs !== undefined)
      return `Reading the ${name} took longer than ${Math.round(limitMs / 100) / 10} s. Split it, or save it again.`
    if (error instanceof ParserEnded && error.why === 'memory')
      return `This ${name} needs more than ${limits.memoryLimitMb} MB of memory to be read. Split it, or save it again.`
    return `Reading the ${name} ended unexpectedly.`
  }

  /** Removes a task from the queue, or ends the parser that works on it. */
  function drop(waiting: Waiting) {
    queueOf(waiting.share).remove(waiting)
    waiting.isDropped = true
    if (!running.has(waiting)) return
    const timer = setTimeout(() => {
      const parser = running.get(waiting)
      if (parser !== undefined) void end(parser)
    }, GRACE_MS)
    timer.unref()
  }

  /** @throws ParseFailure; the signal's reason once it is aborted; RATE_LIMITED if too many tasks of this base wait. */
  function run({ task, bytes, share, signal }: ToParse): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (isClosed) reject(new ParseFailure(CLOSED))
    else if (signal?.aborted) reject(signal.reason)
    else {
      const before = queueOf(share).queueSizeOf(share)
      if (before.count >= MAX_WAITING || before.bytes > MAX_WAITING_BYTES) {
        reject(
          new Refusal('RATE_LIMITED', {
            because: 'Too many documents of this knowledge base are waiting to be read. Try again later.',
          }),
        )
        return promise
      }
      const waiting: Waiting = {
        task,
        given: bytes,
        bytes: bytes.byteLength,
        share,
        isDropped: false,
        resolve,
        reject,
      }
      const giveUp = () => {
        reject(signal?.reason)
        drop(waiting)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      const removeListener = () => signal?.removeEventListener('abort', giveUp)
      promise.then(removeListener, removeListener)
      queueOf(share).add(waiting)
      next()
    }
    return promise
  }

  async function close() {
    isClosed = true
    for (const { reject } of [...awaited.clear(), ...behind.clear()]) reject(new ParseFailure(CLOSED))
    for (const { timer } of idle.splice(0)) clearTimeout(timer)
    await Promise.all([...all].map(end))
  }

  return {
    run,
    close,
    /** Ids of the running processes, for monitoring their memory. */
    processIds: () => [...all].flatMap(({ pid }) => pid ?? []),
  }
}
