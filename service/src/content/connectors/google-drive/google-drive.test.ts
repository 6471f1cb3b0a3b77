import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { driveError } from '../../../../test/connectors/google-drive-answers.ts'
import { ROOT, SHARED_DRIVE, startGoogleDrive } from '../../../../test/connectors/google-drive-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

const openWorld = shareConnectorWorlds()

test('an unchanged drive is known to be so by its changes and one list', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  for (let item = 0; item < 10; item += 1) drive.add(createRandom(item))
  await world.sync()
  drive.server.forget()
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 0, added: 0 } })
  const asked = drive.server.requests.map(({ path, query }) => (query.get('alt') ?? '') + path)
  expect(asked.filter((path) => path.includes('export') || path.includes('media'))).toEqual([])
  expect(asked.length).toBeLessThan(12)
})

test('names are text, sheets are tables, and the folder of a file is said', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  const sheet = { mimeType: 'application/vnd.google-apps.spreadsheet', parent: 'folder-00000000', word: 'x' }
  drive.put({
    id: 'sheet-000000001',
    name: '<img src=x onerror=alert(1)> **Plans**',
    ...sheet,
    body: 'Plan,Limit\n"Free, | small","10\n20"\n,,\n<b>Pro</b>,*all*\n',
  })
  const broken = {
    name: 'Broken.pdf',
    mimeType: 'application/pdf',
    parent: ROOT,
    word: 'none',
    body: 'no pdf',
  }
  drive.put({ id: 'broken-00000001', ...broken })
  drive.put({ id: 'movie-000000001', name: 'Film', mimeType: 'video/mp4', parent: ROOT })
  expect(await world.sync()).toMatchObject({ status: 'partial', counts: { added: 1, failed: 1 } })
  const row = (await world.indexed()).get('sheet-000000001')
  expect(row).toMatchObject({
    title: '<img src=x onerror=alert(1)> **Plans**',
    url: 'https://docs.google.com/document/d/sheet-000000001/edit',
  })
  expect(row?.text).toContain('Help › Folder 0')
  expect(row?.text).toMatch(/Free, \\?\| small.*10 20/)
  expect(row?.text).toMatch(/\\?<b\\?>Pro/)
})

test(
  'what is in a folder that goes to the bin goes with it, also in a drive too large to be listed each time',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using drive = await startGoogleDrive({ pageSize: 1_000 })
    const world = await openWorld(drive.model)
    const shared = { mimeType: 'text/markdown', word: 'oneword', isForAnyone: true }
    drive.put({ id: 'file-in-folder-0', name: 'In.md', parent: 'folder-00000000', ...shared })
    const one = drive.put({ id: 'file-big0x-00000', name: 'big0x.md', parent: ROOT, ...shared })
    await world.sync()
    await world.multiply(2_001)
    for (let at = 1; at <= 2_001; at += 1) {
      const file = { ...one, id: `file-big${at}x-00000`, name: `big${at}x.md` }
      drive.state.files.set(file.id, file)
    }
    const folder = drive.state.files.get('folder-00000000')
    if (folder !== undefined) folder.isTrashed = true
    drive.state.log.push('folder-00000000')
    expect(await world.sync()).toMatchObject({
      status: 'succeeded',
      counts: { added: 0, changed: 0, removed: 1 },
    })
    expect((await world.indexed()).has('file-in-folder-0')).toBe(false)
  },
)

test('what a folder shares is for everyone, unless its shared drive is closed', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  drive.put({
    id: 'shared-00000001',
    name: 'Shared',
    mimeType: 'application/vnd.google-apps.document',
    parent: 'folder-00000002',
    word: 'sharedword',
  })
  const visibility = async () => {
    expect(await world.sync()).toMatchObject({ status: 'succeeded' })
    const rows = [...(await world.indexed()).values()]
    // The names of folders are for those who may open them.
    for (const row of rows)
      expect(row.text?.includes('Drive › Folder 2')).toBe(row.visibility === 'restricted')
    return rows.map((row) => row.visibility)
  }
  expect(await visibility()).toEqual(['restricted'])
  const folder = drive.state.files.get('folder-00000002')
  if (folder !== undefined) folder.isForAnyone = true
  drive.state.log.push('folder-00000002')
  expect(await visibility()).toEqual(['public'])
  drive.state.restrictions = { driveMembersOnly: true }
  expect(await visibility()).toEqual(['restricted'])
})

test(
  'a limit that is told as a reason of a 403 is waited for, and a file too large to export is named',
  TIMEOUT,
  async () => {
    await using drive = await startGoogleDrive()
    const world = await openWorld(drive.model)
    drive.add(createRandom(1))
    drive.put({
      id: 'large-000000001',
      name: 'Large',
      mimeType: 'application/vnd.google-apps.document',
      parent: ROOT,
      word: 'large',
      size: 11_000_000,
    })
    drive.server.misbehave(
      driveError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'),
      undefined,
      driveError(403, 'rateLimitExceeded', "Quota exceeded for quota metric 'Queries'"),
    )
    const done = await world.sync()
    expect(done).toMatchObject({ status: 'partial', error: null, counts: { added: 1, failed: 1 } })
    expect(done.errors[0]?.reason).toContain('too large to be exported')
    drive.server.misbehave(driveError(403, 'dailyLimitExceeded', 'Daily Limit Exceeded'))
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      error: expect.stringContaining('asks to wait'),
      counts: { removed: 0 },
    })
  },
)

test(
  'a token that ends in the middle is made anew; a place in the changes that is forgotten reads all',
  TIMEOUT,
  async () => {
    await using drive = await startGoogleDrive()
    const world = await openWorld(drive.model)
    for (let item = 0; item < 6; item += 1) drive.add(createRandom(item))
    let asked = 0
    drive.server.onRequest = () => {
      asked += 1
      if (asked === 5) drive.tokens.expire()
    }
    expect(await world.sync()).toMatchObject({ status: 'succeeded' })
    expect(drive.tokens.server.requests).toHaveLength(2)
    drive.server.onRequest = undefined
    drive.add(createRandom(7))
    drive.state.oldestToken = drive.state.log.length
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
    expect(await world.differences()).toEqual([])
  },
)

test('a list that did not look everywhere, and a folder that is gone, remove nothing', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  drive.add(createRandom(2))
  await world.sync()
  drive.touch(drive.add(createRandom(3)))
  drive.server.onRequest = ({ path }) => {
    if (path === '/drive/v3/files') drive.server.misbehave({ body: { files: [], incompleteSearch: true } })
  }
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('did not look everywhere'),
    counts: { removed: 0 },
  })
  drive.server.onRequest = undefined
  drive.server.behave()
  drive.state.files.delete(ROOT)
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no folder root-folder-000.*add the account as a viewer/),
    counts: { removed: 0 },
  })
})

test('a folder in a shared drive of others is left out, and a chosen one is told', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  drive.add(createRandom(4))
  const FOLDER = 'application/vnd.google-apps.folder'
  const SHORTCUT = 'application/vnd.google-apps.shortcut'
  const driveId = 'foreign-drive-00'
  drive.put({ id: 'foreign-folder-0', name: 'Theirs', mimeType: FOLDER, parent: driveId, driveId })
  drive.put({
    id: 'shortcut-away-00',
    name: 'Theirs',
    mimeType: SHORTCUT,
    parent: ROOT,
    target: 'foreign-folder-0',
  })
  drive.state.foreignDrives.add(driveId)
  expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { added: 1 } })
  drive.state.foreignDrives.add(SHARED_DRIVE)
  const told = /The folder Drive of Google Drive is in a shared drive.*no member\. .*Manage members/
  const config = { ...drive.model.config, folders: [SHARED_DRIVE] }
  const preview = await world.ask<{ error: string | null }>(
    'POST',
    `/knowledge-bases/${world.baseId}/sources/preview`,
    { type: 'google_drive', config, credentials: { token: drive.tokens.key } },
  )
  expect(preview.error).toMatch(told)
  // Something changed, and so everything is listed.
  drive.touch(drive.add(createRandom(5)))
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(told),
    counts: { removed: 0 },
  })
})

test('folders too deep to be read are told', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  drive.add(createRandom(4))
  let parent = ROOT
  for (let depth = 1; depth <= 52; depth += 1) {
    const id = `deep-folder-${String(depth).padStart(4, '0')}`
    drive.put({ id, name: `Level ${depth}`, mimeType: 'application/vnd.google-apps.folder', parent })
    parent = id
  }
  expect(await world.sync()).toMatchObject({
    status: 'succeeded',
    warnings: ['Folders more than 50 deep were not read. At Level 48 › Level 49 › Level 50'],
  })
})

test('wrong keys are told with what to do, and are sent to Google alone', TIMEOUT, async () => {
  await using drive = await startGoogleDrive()
  const world = await openWorld(drive.model)
  const preview = async (token: string, config: object = {}) =>
    await world.ask<{ error: string | null; access: { account: string } | null }>(
      'POST',
      `/knowledge-bases/${world.baseId}/sources/preview`,
      { type: 'google_drive', config: { ...drive.model.config, ...config }, credentials: { token } },
    )
  const { key } = drive.tokens
  expect((await preview('{"type":"authorized_user"}')).error).toMatch(/not the JSON key of a service account/)
  expect((await preview(key.replace('MII', 'MIX'))).error).toMatch(/private key.*damaged|Invalid JWT/)
  expect((await preview(key, { act_as: 'boss@acme.example' })).error).toMatch(
    /Client is unauthorized.*may act for boss@acme\.example/,
  )
  drive.tokens.delegates.add('boss@acme.example')
  expect(await preview(key, { act_as: 'boss@acme.example' })).toMatchObject({
    error: null,
    access: {
      account: 'reader@acme.iam.gserviceaccount.com',
      missing: [expect.stringContaining('no document in these folders')],
    },
  })
  drive.tokens.server.misbehave({ body: '<!doctype html><title>Sign in</title>' })
  expect((await preview(key)).error).toMatch(/something else than a token/)
  drive.tokens.server.misbehave({ status: 503, body: { error: 'internal_failure' } })
  expect((await preview(key)).error).toMatch(/^Google answered 503 instead of a token\. Sync it again/)
  drive.tokens.server.misbehave({ body: 'x'.repeat(10_000_000) })
  expect((await preview(key)).error).toMatch(/larger than allowed/)
})
