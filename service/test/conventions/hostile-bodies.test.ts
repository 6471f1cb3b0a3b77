import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { OWNER_TOKEN } from '../start-service.ts'
import { endpoints, makeApiWorld, type ApiWorld } from './api-world.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await makeApiWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const JSON_TYPE = 'application/json'
const MEBIBYTE = 1_048_576
const DEEP = 20_000

const writing = endpoints.filter(({ body, bodyIs }) => body !== undefined && bodyIs !== 'files')

/** An invalid body, and the allowed answers; without a list, any refusal or success is allowed. */
interface HostileBody {
  name: string
  body: string | Uint8Array<ArrayBuffer>
  contentType?: string
  statuses?: readonly number[]
  codes?: readonly RefusalCode[]
}

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))))

const NEVER_TAKEN: readonly HostileBody[] = [
  { name: 'broken JSON', body: '{"query":', codes: ['BAD_REQUEST'] },
  { name: 'more after the JSON', body: '{}{}', codes: ['BAD_REQUEST'] },
  { name: 'broken UTF-8', body: bytes('{"query":"', [0xc3, 0x28], '"}'), codes: ['BAD_REQUEST'] },
  { name: 'half a character', body: '{"query":"\\ud800","name":"\\udfff"}', codes: ['BAD_REQUEST'] },
  { name: 'the character U+0000', body: '{"query":"a\\u0000b","name":"\\u0000"}', codes: ['BAD_REQUEST'] },
  { name: 'a list', body: '[]', codes: ['BAD_REQUEST'] },
  { name: 'a number', body: '1e999', codes: ['BAD_REQUEST'] },
  { name: 'null', body: 'null', codes: ['BAD_REQUEST'] },
  {
    name: 'lists in lists',
    body: `{"query":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
    codes: ['BAD_REQUEST'],
  },
  { name: 'objects in objects', body: `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, codes: ['BAD_REQUEST'] },
  { name: 'text', body: '{}', contentType: 'text/plain', codes: ['UNSUPPORTED_MEDIA_TYPE'] },
  {
    name: 'UTF-16',
    body: '{}',
    contentType: 'application/json; charset=utf-16',
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
]

const PROTOTYPES: readonly HostileBody[] = [
  { name: '__proto__', body: '{"__proto__":{"isAdmin":true,"name":"x"}}' },
  { name: 'constructor', body: '{"constructor":{"prototype":{"isAdmin":true}},"toString":1}' },
  { name: 'the same field twice', body: '{"name":1,"name":{},"query":2,"query":[]}' },
]

async function send(endpoint: (typeof endpoints)[number], hostile: HostileBody) {
  const response = await world.citewell.service.fetch(
    new Request(`${world.citewell.address}${world.pathOf(endpoint)}`, {
      method: endpoint.method,
      headers: {
        'content-type': hostile.contentType ?? JSON_TYPE,
        ...(endpoint.caller === 'public-key'
          ? endpoint.wireFormat === 'openai'
            ? { authorization: `Bearer ${world.clientKey}` }
            : { 'x-client-key': world.clientKey }
          : { authorization: `Bearer ${OWNER_TOKEN}` }),
      },
      body: hostile.body,
    }),
  )
  const text = await response.text()
  return { status: response.status, text, requestId: response.headers.get('x-request-id') }
}

interface RefusalBody {
  code: RefusalCode
  error: unknown
  request_id?: string
  retryable?: boolean
}

/** The message of a refusal, in either of the two formats. */
function refusalOf(text: string): RefusalBody {
  const body = JSON.parse(text) as RefusalBody & { error: string | (RefusalBody & { message: string }) }
  return typeof body.error === 'object' ? { ...body.error, error: body.error.message } : body
}

verifies(
  ['conventions.hostile-bodies', 'conventions.json-utf8', 'errors.body', 'errors.true-status'],
  'every endpoint with a body refuses one that is malformed, too deep or of another type, with the reason',
  async () => {
    expect(writing.length).toBeGreaterThan(40)
    for (const endpoint of writing) {
      for (const hostile of NEVER_TAKEN) {
        const { status, text, requestId } = await send(endpoint, hostile)
        const at = `${endpoint.operationId}: ${hostile.name}`
        const refusal = refusalOf(text)
        expect([at, refusal.code]).toEqual([at, hostile.codes?.[0]])
        expect([at, status]).toEqual([at, REFUSALS[refusal.code].status])
        expect({ at, refusal }).toMatchObject({
          refusal: {
            error: expect.stringMatching(/\w/),
            request_id: requestId,
            retryable: expect.any(Boolean),
          },
        })
      }
    }
  },
  120_000,
)

verifies(
  ['conventions.hostile-bodies', 'errors.true-status'],
  'names with a meaning in JavaScript have no effect, and get a correct status',
  async () => {
    for (const endpoint of writing) {
      for (const hostile of PROTOTYPES) {
        const { status, text } = await send(endpoint, hostile)
        const at = `${endpoint.operationId}: ${hostile.name}`
        expect([at, status < 500]).toEqual([at, true])
        if (status >= 400) expect([at, REFUSALS[refusalOf(text).code].status]).toEqual([at, status])
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('isAdmin')
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  },
  60_000,
)

verifies(
  ['conventions.unknown-fields-refused', 'conventions.unknown-fields-passed-over'],
  'an unknown field is refused by every management endpoint, and ignored by the public ones',
  async () => {
    const refused = { management: 0, public: 0 }
    for (const endpoint of writing) {
      const isPublic =
        endpoint.caller === 'public-key' ||
        /(?:AsMember|(?:ask|search)InWorkspace)$/.test(endpoint.operationId)
      const { status, text } = await send(endpoint, {
        name: 'unknown',
        body: JSON.stringify({ ...world.bodyOf(endpoint, 50), surely_not_a_field: 1 }),
      })
      const isNamed = status === 400 && text.includes('"surely_not_a_field"')
      expect([endpoint.operationId, isNamed]).toEqual([endpoint.operationId, !isPublic])
      refused[isPublic ? 'public' : 'management'] += 1
    }
    expect(refused.management).toBeGreaterThan(30)
    expect(refused.public).toBeGreaterThan(6)
  },
)

/** They take many records at once. */
const LARGE = new Set(['pushDocuments', 'createSimulation'])

verifies(
  ['limits.json-bodies', 'limits.pushed-documents', 'errors.payload-too-large'],
  'a body may be as large as its limit, and not one byte larger',
  async () => {
    for (const [at, endpoint] of writing.entries()) {
      const most = endpoint.maxBodyBytes ?? MEBIBYTE
      expect([endpoint.operationId, most]).toEqual([
        endpoint.operationId,
        LARGE.has(endpoint.operationId) ? 16 * MEBIBYTE : MEBIBYTE,
      ])
      const padded = (length: number) => `{"zz":"${'x'.repeat(length - 9)}"}`
      const over = await send(endpoint, { name: 'over', body: padded(most + 1) })
      expect([endpoint.operationId, over.status, refusalOf(over.text).code]).toEqual([
        endpoint.operationId,
        413,
        'PAYLOAD_TOO_LARGE',
      ])
      // That the limit itself passes is the same code for all: a few show it.
      if (at % 8 > 0 && most === MEBIBYTE) continue
      const within = await send(endpoint, { name: 'within', body: padded(most) })
      expect([endpoint.operationId, within.status]).not.toContain(413)
    }
  },
  { timeout: 120_000 },
)

verifies('limits.files', 'an upload over 100 MiB is refused before its bytes are read', async () => {
  const upload = endpoints.find(({ operationId }) => operationId === 'uploadFiles')
  const source = await world.citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${world.baseId}/sources`,
    {
      type: 'files',
      name: 'Uploads',
      config: {},
    },
  )
  const send = async (declared: number) => {
    const text = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A\r\n--b--\r\n'
    const response = await world.citewell.service.fetch(
      new Request(`${world.citewell.address}/api/v1/sources/${source.id}/files`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${OWNER_TOKEN}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': String(declared),
        },
        body: text,
      }),
    )
    return response.status
  }

  expect(upload?.maxBodyBytes).toBe(100 * MEBIBYTE)
  expect(await send(100 * MEBIBYTE + 1)).toBe(413)
  expect(await send(100 * MEBIBYTE)).toBe(201)
})
