import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { listUploadedFiles } from './sources.ts'

let rooms: TestRooms
let owner: Caller
let sourceId: string

const make = async (type: 'files' | 'push') => {
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const common = {
    version_label: null,
    source_group_id: null,
    visibility: 'public',
    refresh: 'none',
  } as const
  return (await rooms.sources.create(owner, base.id, { ...common, type, name: 'Files', config: {} })).source
    .id
}

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(async () => {
  owner = await rooms.joinWorkspace()
  sourceId = await make('files')
})
afterAll(() => rooms.close())

async function formOf(...files: File[]): Promise<Request> {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  const whole = new Response(form)
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  return new Request('http://localhost/', { method: 'POST', body: await whole.arrayBuffer(), headers })
}

const uploaded = () => listUploadedFiles({ db: rooms.db, files: rooms.files }, sourceId)

test('the connector reads uploaded files, and an upload requests a sync', async () => {
  const request = await formOf(new File(['# Keys'], 'guide/keys.md'), new File(['plain'], 'note.txt'))
  const { files, sync } = await rooms.uploads.upload(owner, sourceId, request)
  expect(files.map(({ name, media_type, byte_length }) => [name, media_type, byte_length])).toEqual([
    ['guide/keys.md', 'text/markdown', 6],
    ['note.txt', 'text/plain', 5],
  ])
  expect(sync).toMatchObject({ source_id: sourceId, status: 'queued' })
  const read = await uploaded()
  expect(read.map((file) => [file.externalId, file.mediaType])).toEqual([
    ['guide/keys.md', 'text/markdown'],
    ['note.txt', 'text/plain'],
  ])
  expect(Buffer.from((await read[0]?.bytes()) ?? []).toString()).toBe('# Keys')
})

test('uploading a file with a known name replaces the earlier one', async () => {
  const first = await rooms.uploads.upload(owner, sourceId, await formOf(new File(['one'], 'a.txt')))
  const second = await rooms.uploads.upload(owner, sourceId, await formOf(new File(['two'], 'a.txt')))
  expect(second.files[0]?.id).toBe(first.files[0]?.id)
  const [only, ...others] = await uploaded()
  expect(others).toEqual([])
  expect(Buffer.from((await only?.bytes()) ?? []).toString()).toBe('two')
})

test('a refused upload stores none of its files', async () => {
  const refused = [
    {
      request: await formOf(new File(['one'], 'a.txt'), new File(['x'], 'photo.png')),
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    { request: await formOf(new File(['one'], 'a.txt'), new File(['x'], '..')), code: 'BAD_REQUEST' },
    { request: await formOf(), code: 'BAD_REQUEST' },
    {
      request: new Request('http://localhost/', { method: 'POST', body: '{}' }),
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      request: new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${'x'.repeat(300)}` },
        body: `--${'x'.repeat(300)}--`,
      }),
      code: 'BAD_REQUEST',
    },
  ]
  for (const { request, code } of refused) {
    await expect(rooms.uploads.upload(owner, sourceId, request)).rejects.toMatchObject({ code })
  }
  expect(await uploaded()).toEqual([])
  expect((await rooms.sources.get(owner, sourceId)).lastSync).toBeUndefined()
})

test('a text file of more than 20 MiB is refused with its name, and the upload stores none of its files', async () => {
  const most = 20 * 1_048_576
  const long = (bytes: number) => new File(['a'.repeat(bytes)], 'long.txt')
  const refused = formOf(new File(['one'], 'a.txt'), long(most + 1))
  await expect(rooms.uploads.upload(owner, sourceId, await refused)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: '"long.txt" contains more than 20 MiB of text: split it into several documents.',
  })
  expect(await uploaded()).toEqual([])
  // Other files may be larger: the length of their text is known only after parsing.
  const scan = new File(['%'.repeat(most + 1)], 'scan.pdf')
  const { files } = await rooms.uploads.upload(owner, sourceId, await formOf(long(most), scan))
  expect(files.map(({ name }) => name)).toEqual(['long.txt', 'scan.pdf'])
})

test('files uploaded during a sync are read by a following sync', async () => {
  const { sync } = await rooms.uploads.upload(owner, sourceId, await formOf(new File(['one'], 'a.txt')))
  expect((await rooms.sources.get(owner, sourceId)).source.next_refresh_at).toBeNull()
  await rooms.db.updateTable('syncs').set({ status: 'running' }).where('id', '=', sync.id).execute()
  await rooms.uploads.upload(owner, sourceId, await formOf(new File(['two'], 'b.txt')))
  expect((await rooms.sources.get(owner, sourceId)).source.next_refresh_at).toEqual(rooms.clock.time)
})

test('only a files source in the workspace of the caller accepts files', async () => {
  const stranger = await rooms.joinWorkspace()
  const one = () => formOf(new File(['one'], 'a.txt'))
  await expect(rooms.uploads.upload(stranger, sourceId, await one())).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(rooms.uploads.upload(owner, await make('push'), await one())).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('stored bytes that no source has any more are deleted, and others are kept', async () => {
  const request = await formOf(new File(['kept'], 'a.txt'), new File(['lost'], 'b.txt'))
  const [kept, lost] = (await rooms.uploads.upload(owner, sourceId, request)).files
  await rooms.db
    .deleteFrom('source_files')
    .where('source_id', '=', sourceId)
    .where('name', '=', 'b.txt')
    .execute()
  const sweep = rooms.sources.jobs.find((job) => job.name === 'sweep-files')
  rooms.clock.time = new Date(Date.now() + 25 * 60 * 60 * 1_000)
  await sweep?.handle({}, new AbortController().signal)
  const names = (await readdir(rooms.filesDirectory, { recursive: true })).map((name) => name.slice(-64))
  expect(names).toContain(kept?.sha256)
  expect(names).not.toContain(lost?.sha256)
})

test.for([
  ['..\\docs\\Key rotation.pdf', 'docs/Key rotation.pdf'],
  ['/etc/./passwd.txt', 'etc/passwd.txt'],
  ['a\u202Ec.md', 'ac.md'],
  ['gu\u0308te.md', 'güte.md'],
])('%j is stored as %j', async ([given = '', name]) => {
  const { files } = await rooms.uploads.upload(owner, sourceId, await formOf(new File(['one'], given)))
  expect(files.map((file) => file.name)).toEqual([name])
})
