import { parseJson } from '../../kernel/json.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'

/** Maximum time for a body to arrive. */
const MAX_SECONDS = 30

const tooLarge = (maxBytes: number) => {
  const mebibytes = Math.max(1, Math.round(maxBytes / 1_048_576))
  return new Refusal('PAYLOAD_TOO_LARGE', { because: `The body is too large: at most ${mebibytes} MiB.` })
}

async function readChunks(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  for await (const chunk of body) {
    byteLength += chunk.byteLength
    if (byteLength > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return chunks
}

/** The declared length of a body; NaN if none is declared. */
const declaredLength = (request: Request) => Number(request.headers.get('content-length') ?? Number.NaN)

/**
 * Refuses a body by its declared length, before anything reads it: the HTTP library discards an untouched body, but closes the connection
 * of one that was partly read, and with it the client's next request.
 *
 * @throws Refusal PAYLOAD_TOO_LARGE
 */
export function requireLength(request: Request, maxBytes: number): void {
  if (declaredLength(request) > maxBytes) throw tooLarge(maxBytes)
}

/**
 * The body's bytes, at most `maxBytes`.
 *
 * @throws Refusal PAYLOAD_TOO_LARGE, or BAD_REQUEST if it does not arrive in time
 */
export async function readRawBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  requireLength(request, maxBytes)
  const declared = declaredLength(request)
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    const give = () => reject(new Refusal('BAD_REQUEST', { because: 'The body did not arrive in time.' }))
    timer = setTimeout(give, MAX_SECONDS * 1_000)
  })
  try {
    // The HTTP parser enforces a declared length, so the body can be read in one call, which is much faster.
    const reading = Number.isNaN(declared)
      ? readChunks(
          request.body ?? new ReadableStream({ start: (controller) => controller.close() }),
          maxBytes,
        ).then((chunks) => Buffer.concat(chunks))
      : request.arrayBuffer().then((buffer) => new Uint8Array(buffer))
    return await Promise.race([reading, tooSlow])
  } finally {
    clearTimeout(timer)
  }
}

const mediaTypeOf = (request: Request) =>
  (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const isJson = (mediaType: string) =>
  mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType)

const charsetOf = (request: Request) =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get('content-type') ?? '')?.[1]?.toLowerCase()

/** No request of the contract has a field for so few bytes of what it may have; objects with a hundred thousand are slow to read. */
const BYTES_PER_FIELD = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const WHITE_SPACE = new Set([0x20, 0x09, 0x0d, 0x0a])

/** Whether a JSON text has more fields than this. They are counted by the colon after a quote that ends a name: in a text it is escaped. */
function hasMoreFields(text: string, most: number): boolean {
  let fields = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1
    while (WHITE_SPACE.has(text.charCodeAt(end))) end -= 1
    if (text.charCodeAt(end) !== QUOTE) continue
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) fields += 1
    if (fields > most) return true
  }
  return false
}

/**
 * The JSON body of a request; undefined if there is no body.
 *
 * @throws Refusal PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for invalid UTF-8 or JSON
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readRawBody(request, maxBytes)
  if (bytes.byteLength === 0) return undefined
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      because: 'Send the body as it is: compressed bodies (the header "Content-Encoding") are not read.',
    })
  const charset = charsetOf(request)
  if (!isJson(mediaTypeOf(request)) || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8'))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      because: 'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".',
    })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongField('', 'the body is not valid UTF-8')
  }
  if (hasMoreFields(text, maxBytes / BYTES_PER_FIELD))
    throw new Refusal('BAD_REQUEST', { details: [{ path: '', message: 'the body has too many fields' }] })
  const json = parseJson(text)
  if (json === undefined) throw wrongField('', 'the body is not valid JSON')
  return json
}

/**
 * The query parameters of an address as an object.
 *
 * @throws Refusal BAD_REQUEST for a repeated parameter: choosing one of the values would be a guess
 */
export function readQuery(url: URL): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (query.has(name)) throw wrongField(name, 'is given more than once')
    query.set(name, value)
  }
  return Object.fromEntries(query)
}
