import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processorTime } from '../../../test/time-limit.ts'
import { snapshotStorage } from '../../../test/snapshot-storage.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

const makeBase = async (pii_masking?: object) =>
  String(
    (await api.ask('POST', '/knowledge-bases', { name: 'Acme docs', ...(pii_masking && { pii_masking }) }))[
      'id'
    ],
  )

const tried = async (base: string, body: object) =>
  await api.send('POST', `/knowledge-bases/${base}/pii-masking/test`, body)

const TEXT = 'ACME-123456 of ada@example.com,\nsupport@acme.example, 192.0.2.7'

verifies(
  'pii.tried',
  'a text is masked by the saved settings, or by others that are not saved, and nothing is stored',
  async () => {
    const base = await makeBase({ mask: ['email'], allow_list: ['support@acme.example'] })
    const before = await snapshotStorage(api.storage)
    expect((await tried(base, { text: TEXT })).body).toEqual({
      text: 'ACME-123456 of [email],\nsupport@acme.example, 192.0.2.7',
      found: [{ kind: 'email', text: 'ada@example.com' }],
    })

    const pii_masking = { mask: ['email', 'ip_address'], custom_patterns: ['ACME-\\d{6}'] }
    expect((await tried(base, { text: TEXT, pii_masking })).body).toEqual({
      text: '[masked] of [email],\nsupport@acme.example, [ip_address]',
      found: [
        { kind: 'custom', text: 'ACME-123456' },
        { kind: 'email', text: 'ada@example.com' },
        { kind: 'ip_address', text: '192.0.2.7' },
      ],
    })
    expect(await snapshotStorage(api.storage)).toEqual(before)
  },
)

verifies(
  'pii.tried',
  'a text that a base does not mask comes back as it is, also on an archived base',
  async () => {
    const base = await makeBase()
    await api.ask('POST', `/knowledge-bases/${base}/archive`)
    expect((await tried(base, { text: TEXT })).body).toEqual({ text: TEXT, found: [] })
  },
)

test('a pattern that is none is refused with its place, and so is a text that is too long', async () => {
  const base = await makeBase()
  expect(await tried(base, { text: TEXT, pii_masking: { custom_patterns: ['a', '('] } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'pii_masking.custom_patterns.1' }] },
  })
  expect(await tried(base, { text: 'x'.repeat(4_001) })).toMatchObject({ status: 400 })
  expect(await tried(base, { text: 'x'.repeat(4_000) })).toMatchObject({ status: 200 })
  expect(await tried(base, {})).toMatchObject({ status: 400 })
})

test('exceptions that take too long are none: what they were for is masked, and nobody else waits', async () => {
  const base = await makeBase()
  const slow = Array.from({ length: 100 }, (_, at) => `/(a|b|.){0,60}(x?){60}z${at}/`)
  const text = 'a b'.repeat(1_333)
  let masked: unknown
  const spent = await processorTime(async () => {
    const pii_masking = { mask: [], custom_patterns: ['.'], allow_list: slow }
    masked = (await tried(base, { text, pii_masking })).body['text']
  })
  // When the time is over, what is left of a line is one finding.
  expect(String(masked).replaceAll('[masked]', '').trim()).toBe('')
  // 600 ms were measured; 5,000 without the limit.
  expect(spent).toBeLessThan(2_500)

  const usual = { mask: [], custom_patterns: ['[a-c]'], allow_list: ['b', '/[c-d]/'] }
  const found = await tried(base, { text: 'abc '.repeat(500), pii_masking: usual })
  expect(found.body['text']).toBe('[masked]bc '.repeat(500).trimEnd())
})
