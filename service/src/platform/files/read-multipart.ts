import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { Refusal } from '../../kernel/refusal.ts'

/** One file of a multipart form, while it is being received. */
export interface ArrivingFile {
  field: string
  /** Name given by the client, with folders; not to be used as a path. */
  name: string
  mediaType: string
  bytes: AsyncIterable<Uint8Array>
}

export interface MultipartLimits {
  /** Limit of the whole body. */
  maxBytes: number
  maxFiles: number
}

/** Fields beside the files, which are ignored: a million of them would hold the thread. */
const MAX_FIELDS = 100

/** Maximum time for a form to arrive. */
const MAX_SECONDS = 600

/** How long the rest of a refused form is read, and forgotten: at most as much as a form may have. */
const READ_ON_MS = 5_000

const cutShort = (cause: unknown) =>
  new Refusal('BAD_REQUEST', {
    because: 'The form is incomplete, or is not valid multipart/form-data.',
    cause,
  })

/** @throws Refusal BAD_REQUEST for a boundary that is none, such as one that is too long */
function openParser(contentType: string, maxFiles: number) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      limits: { files: maxFiles, fields: MAX_FIELDS },
    })
  } catch (cause) {
    throw cutShort(cause)
  }
}

const tooLarge = (maxBytes: number) =>
  new Refusal('PAYLOAD_TOO_LARGE', {
    because: `The files of one request may have at most ${maxBytes / 1_048_576} MiB.`,
  })

/**
 * Streams a multipart form, one file after the other: `take` is awaited before the next file is read, and nothing is buffered in memory.
 * Fields that are not files are ignored.
 */
export async function readMultipart(
  request: Request,
  { maxBytes, maxFiles }: MultipartLimits,
  take: (file: ArrivingFile) => Promise<void>,
): Promise<void> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType) || request.body === null)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { because: 'Send the files as multipart/form-data.' })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const parser = openParser(contentType, maxFiles)
  const failed = new AbortController()
  const timer = setTimeout(() => {
    failed.abort(new Refusal('BAD_REQUEST', { because: 'The form did not arrive in time.' }))
  }, MAX_SECONDS * 1_000)
  let current: BusboyFileStream | undefined
  let taking = Promise.resolve()
  parser.on('filesLimit', () => {
    failed.abort(new Refusal('BAD_REQUEST', { because: `Send at most ${maxFiles} files in one request.` }))
  })
  parser.on('fieldsLimit', () => {
    failed.abort(new Refusal('BAD_REQUEST', { because: `Send at most ${MAX_FIELDS} fields in one request.` }))
  })
  parser.on('file', (field, stream, name, _encoding, mediaType) => {
    current = stream
    // The reader of the stream gets the error; without a listener an unread stream would crash the process.
    stream.on('error', () => {})
    taking = taking
      .then(() => take({ field, name, mediaType, bytes: bytesOf(stream) }))
      .catch((error: unknown) => failed.abort(error))
      // An unread stream would block the parser for ever.
      .finally(() => stream.resume())
  })

  const body = request.body.getReader()
  const aborted = new Promise<undefined>((end) => {
    failed.signal.addEventListener('abort', () => end(undefined))
  })
  async function* withinLimit(): AsyncGenerator<Uint8Array> {
    let total = 0
    for (;;) {
      // The client may have stopped sending.
      const read = await Promise.race([body.read(), aborted])
      if (read === undefined || read.done) return
      total += read.value.byteLength
      if (total > maxBytes) throw tooLarge(maxBytes)
      yield read.value
    }
  }

  try {
    await pipeline(withinLimit, parser, { signal: failed.signal })
  } catch (error) {
    // Read before the stream of the file is destroyed: the reader then fails too, but not as the cause.
    const isOurs = failed.signal.aborted
    const reason: unknown = isOurs ? failed.signal.reason : error
    current?.destroy(reason instanceof Error ? reason : new Error('The upload ended early.'))
    await taking
    await readOn(body, maxBytes)
    throw isOurs || reason instanceof Refusal ? reason : cutShort(error)
  } finally {
    clearTimeout(timer)
  }
  await taking
  failed.signal.throwIfAborted()
}

/**
 * Most clients send all of a request before they read its answer, and the HTTP library closes the connection of a body that was partly read:
 * they would lose the answer, or their next request.
 */
async function readOn(body: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<void> {
  const late = sleep(READ_ON_MS, undefined, { ref: false })
  try {
    for (let total = 0; total < maxBytes;) {
      const read = await Promise.race([body.read(), late])
      if (read === undefined || read.done) return
      total += read.value.byteLength
    }
  } catch {
    // The client has left.
  }
}

async function* bytesOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    throw error instanceof Refusal ? error : cutShort(error)
  }
}
