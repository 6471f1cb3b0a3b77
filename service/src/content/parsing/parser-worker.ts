import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { ParseFailure } from './parse-failure.ts'
import {
  createGathering,
  piecesOf,
  type FromParser,
  type ParsingTask,
  type ToParser,
} from './parser-messages.ts'
import { checkResult } from './result-limits.ts'
import { partsOf } from './result-parts.ts'

/** Runs as a separate process, started by `parser-process.ts`, because its input is untrusted. */

const send = (message: FromParser) =>
  new Promise<void>((resolve) => {
    // The service is gone.
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, {}, () => resolve())
  })

let gathering: ReturnType<typeof createGathering> | undefined
let task: ParsingTask | undefined

process.on('message', (message: ToParser) => {
  if (message instanceof Uint8Array) gathering?.add(message)
  else {
    task = message.task
    gathering = createGathering(message.bytes)
  }
  if (task === undefined || gathering?.isComplete() !== true) return
  void takeUp(task, gathering.whole)
  task = undefined
  gathering = undefined
})
process.on('disconnect', () => process.exit())

async function takeUp(given: ParsingTask, bytes: Uint8Array) {
  watchdog.postMessage(given.workLimitMs)
  await answer(given, bytes)
  watchdog.postMessage(0)
  // What is left over from a large document would be counted against the next one.
  if (process.memoryUsage.rss() > memoryLimit / 2) globalThis.gc?.()
  await send({ memory: process.memoryUsage.rss() })
}

async function answer(given: ParsingTask, bytes: Uint8Array) {
  try {
    const result = await work(given, bytes)
    const parts = partsOf(given.kind, result).map((part) => serialize(part))
    const lengths = parts.map(({ byteLength }) => byteLength)
    checkResult(result, lengths)
    await send({ parts: lengths })
    for (const piece of piecesOf(Buffer.concat(parts))) await send(piece)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const failure = error instanceof ParseFailure ? message : readableMessage(message)
    await send({ failure: failure.slice(0, 1_000) })
  }
}

function readableMessage(message: string): string {
  return message === 'Maximum call stack size exceeded'
    ? 'It is nested too deeply to be read.'
    : `The document could not be read: ${message}`
}

async function work(task: ParsingTask, bytes: Uint8Array): Promise<unknown> {
  const { kind, input, maxEntries, fileAt, sample } = task
  // Modules are loaded when first needed.
  if (kind === 'sitemap') {
    const { parseSitemap } = await import('./sitemap.ts')
    return parseSitemap({ ...input, bytes }, maxEntries ?? 0)
  }
  if (kind === 'mail') {
    const { parseMail } = await import('./mail.ts')
    return await parseMail(bytes)
  }
  if (kind === 'mail-file') {
    const { readMailFile } = await import('./mail.ts')
    return await readMailFile(bytes, fileAt ?? 0)
  }
  if (kind === 'tickets') {
    const { readTickets } = await import('./tickets/read-tickets.ts')
    return await readTickets(bytes, sample ?? { most: 1, by: 'random', seed: 1 })
  }
  const { parseApiDescription, parseDocument } = await import('./parse-document.ts')
  return kind === 'document'
    ? await parseDocument({ ...input, bytes })
    : await parseApiDescription({ ...input, bytes })
}

const memoryLimit = Number(process.argv[2])
const watchdog = new Worker(
  new URL(`./parser-watchdog-worker${import.meta.url.slice(-3)}`, import.meta.url),
  {
    workerData: { memoryLimit },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  },
)
// Without the watchdog nothing limits the memory.
watchdog.on('exit', () => process.exit(1))
watchdog.once('online', () => void send('ready'))
