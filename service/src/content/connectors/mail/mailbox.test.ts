import { verifies } from '@citewell/spec/verifies'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStrangers } from '../../../../test/connectors/ask-as-stranger.ts'
import {
  shareConnectorWorlds,
  TIMEOUT,
  type ProductModel,
} from '../../../../test/connectors/connector-world.ts'
import { packedText, pdfOf, wordParts, zipOf } from '../../../../test/hostile-files.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { startStandIn, type StandInServer } from '../../../../test/connectors/stand-in-server.ts'
import {
  HAS_DOVECOT,
  NO_DOVECOT,
  startMailServers,
  type MailServers,
} from '../../../../test/platforms/mail-servers.ts'
import { readMailHeaders } from '../../../kernel/mail-headers.ts'
import { threadsOf } from '../../../kernel/mail-threads.ts'

if (!HAS_DOVECOT) console.warn(NO_DOVECOT)

const USER = 'archive@acme.example'

/** `npm run test:connectors` sets both. */
const ITEMS = Number(process.env['CONNECTOR_ITEMS'] ?? 5)
const RUNS = Number(process.env['CONNECTOR_RUNS'] ?? 2)
const LONG = ITEMS > 100 ? 3_600_000 : TIMEOUT.timeout

const openWorld = shareConnectorWorlds()
let archives: StandInServer
let files: Record<string, { body: string; etag: string }> = {}
beforeAll(async () => {
  archives = await startStandIn(({ path, headers }) => {
    const file = files[path]
    if (file === undefined) return { status: 404, body: 'gone' }
    if (headers['if-none-match'] === file.etag) return { status: 304, body: '' }
    return { status: 200, headers: { etag: file.etag, 'content-type': 'application/mbox' }, body: file.body }
  })
}, TIMEOUT.timeout)
afterAll(async () => {
  await archives[Symbol.asyncDispose]()
})

/** The id of the document of the conversation that this mail began. */
const documentOf = (messageId: string) =>
  threadsOf([
    { headers: readMailHeaders(Buffer.from(`Message-ID: <${messageId}>\n\n`)), at: new Date(0), place: '' },
  ])[0]?.externalId ?? ''

const mailOf = (given: {
  id: string
  root?: string | undefined
  text: string
  from?: string
  subject?: string
}) =>
  [
    `From: ${given.from ?? 'Ada Lovelace <ada@customer.example>'}`,
    `Subject: ${given.subject ?? `About ${given.id}`}`,
    `Message-ID: <${given.id}>`,
    ...(given.root === undefined ? [] : [`References: <${given.root}>`]),
    'Content-Type: text/plain; charset=utf-8',
    'Date: Mon, 23 Nov 2026 03:00:00 +0000',
    '',
    given.text,
    '',
  ].join('\r\n')

/** A mail with files: a PDF, a Word file whose name has to be decoded, and an image. */
const mailWithFiles = (id: string, text: string) => {
  const part = (name: string, type: string, bytes: Buffer) =>
    [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; ${name}`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    ].join('\r\n')
  return [
    'From: Ada Lovelace <ada@customer.example>',
    `Subject: About ${id}`,
    `Message-ID: <${id}>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=limit',
    'Date: Mon, 23 Nov 2026 03:00:00 +0000',
    '',
    [
      '',
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
      part('filename="The plan.pdf"', 'application/pdf', pdfOf(packedText(), '/FlateDecode')),
      part("filename*=utf-8''%C3%9Cber.docx", 'application/octet-stream', zipOf(wordParts())),
      part('filename=picture.png', 'image/png', Buffer.from('picture')),
    ].join('\r\n--limit\r\n'),
    '--limit--',
    '',
  ].join('\r\n')
}

describe.skipIf(!HAS_DOVECOT)('a mailbox of the real Dovecot', () => {
  let servers: MailServers
  beforeAll(async () => {
    servers = await startMailServers()
  }, TIMEOUT.timeout)
  afterAll(async () => await servers[Symbol.asyncDispose]())

  /** What is in the mailbox: the text of the last mail of each conversation, by the id of its first. */
  const conversations = new Map<string, string>()
  const folders = ['INBOX', 'People']
  const modelOf = (password: string): ProductModel => {
    let made = 0
    const deliver = async (root: string | undefined, folder: string) => {
      made += 1
      // No id is a part of another one: servers find parts of them too.
      const id = `a${made}z@mail.example`
      const text = `word${made}x is what matters.`
      await servers.deliver(USER, mailOf({ id, root, text }), { folder })
      conversations.set(root ?? id, `word${made}x`)
    }
    /** Does something with the mails of the oldest conversation, in each folder that has some. */
    const withOldest = async (work: (client: ImapFlow, uids: string) => Promise<unknown>) => {
      const [root = ''] = conversations.keys()
      await servers.as(USER, async (client) => {
        for (const folder of folders) {
          await client.mailboxOpen(folder)
          const or = [{ header: { references: root } }, { header: { 'message-id': root } }]
          const found = await client.search({ or }, { uid: true })
          if (found !== false && found !== undefined && found.length > 0) await work(client, found.join(','))
        }
      })
      conversations.delete(root)
    }
    return {
      type: 'mailbox',
      config: { url: `imaps://localhost:${servers.imapPort}`, folders },
      credentials: { user: USER, password },
      server: archives,
      documents: () =>
        new Map([...conversations].map(([root, text]) => [documentOf(root), { text, isRestricted: true }])),
      add: async (random) => await deliver(undefined, random.of(folders)),
      change: async (random) => {
        const what = random.below(4)
        const roots = [...conversations.keys()]
        if (what === 0 || roots.length < 3) {
          await deliver(undefined, random.of(folders))
          return 'a new conversation'
        }
        if (what === 1) {
          await deliver(random.of(roots), random.of(folders))
          return 'an answer'
        }
        if (what === 2) {
          await withOldest((client, uids) => client.messageDelete(uids, { uid: true }))
          return 'a conversation is deleted'
        }
        await withOldest((client, uids) => client.messageMove(uids, 'Drafts', { uid: true }))
        return 'a conversation is moved away'
      },
      hideMost: () => Promise.resolve(() => Promise.resolve()),
    }
  }

  verifies(
    'connectors.mail-sources',
    'after runs of new, answered, deleted and moved conversations the index is what is in the folders; nothing else is indexed again, and all of it is restricted',
    async () => {
      const model = modelOf(servers.password)
      // In two runs of five conversations, it has each kind of change.
      const random = createRandom(4)
      for (let item = 0; item < ITEMS; item += 1) await model.add(random)
      const world = await openWorld(model)
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: ITEMS } })
      expect(await world.differences()).toEqual([])
      const strangers = createStrangers(world, { asksEach: false })
      const kinds = new Set<string>()
      for (let round = 0; round < RUNS; round += 1) {
        strangers.note(model.documents())
        expect(await strangers.faults(model.documents())).toEqual([])
        const before = await world.indexed()
        const changes: string[] = []
        for (let left = random.below(4); left > 0; left -= 1) changes.push(await model.change(random))
        for (const change of changes) kinds.add(change)
        const done = await world.sync()
        expect([done.status, await world.differences(), changes]).toEqual(['succeeded', [], changes])
        for (const [id, row] of await world.indexed()) {
          const earlier = before.get(id)
          if (earlier !== undefined && earlier.text === row.text)
            expect([id, row.latest_version]).toEqual([id, earlier.latest_version])
        }
      }
      expect(kinds.size).toBe(4)
      expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0, removed: 0 } })
      await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
      await world.sync()
      const seen = new Set([...(await world.indexed()).values()].map((row) => row.visibility))
      expect([...seen]).toEqual(['public'])
      // The same words, which strangers found nowhere, are found now.
      expect(strangers.asked).toEqual({ open: 0, closed: expect.toSatisfy((times: number) => times > 0) })
      const opened = [...model.documents()].map(
        ([id, { text }]) => [id, { text, isRestricted: false }] as const,
      )
      expect(await strangers.faults(new Map(opened))).toEqual([])
      expect(strangers.asked.open).toBeGreaterThan(0)
    },
    { timeout: LONG, tags: ['long'] },
  )

  test(
    'a mail that is moved while its conversation is read is read by the next sync',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      const model = modelOf(servers.password)
      model.config = { ...model.config, folders: ['Long', 'Shelf'] }
      await servers.as(USER, async (client) => {
        for (const folder of ['Long', 'Shelf']) await client.mailboxCreate(folder)
      })
      const world = await openWorld(model)
      await servers.deliver(USER, mailOf({ id: 'shelf@mail.example', text: 'On the shelf.' }), {
        folder: 'Shelf',
      })
      // More than are read at once, in conversations of five, and the conversation after them.
      const others = Array.from({ length: 100 }, (_, at) =>
        mailOf({ id: `b${at}z@mail.example`, root: `b${at - (at % 5)}z@mail.example`, text: `Mail ${at}.` }),
      )
      const begun = { id: 'c1z@mail.example', root: 'c1z@mail.example', text: 'It began so.' }
      const continued = { ...begun, id: 'c2z@mail.example', text: 'It went on so.' }
      await servers.deliver(USER, [...others, mailOf(begun), mailOf(continued)], { folder: 'Long' })
      await servers.as(USER, async (client) => {
        await client.mailboxOpen('Long')
        const reading = world.sync()
        while ((await world.indexed()).size === 0) await new Promise((resolve) => setTimeout(resolve, 20))
        await client.messageMove('102', 'Shelf')
        await reading
      })
      const text = async () => (await world.indexed()).get(documentOf('c1z@mail.example'))?.text
      expect(await text()).not.toContain('It went on so.')
      await world.sync()
      expect(await text()).toMatch(/It began so\..*It went on so\./s)
      expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0 } })
    },
  )

  test(
    'what is attached to mails is read once, restricted, and goes with its mail',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      const model = { ...modelOf(servers.password) }
      model.config = { ...model.config, folders: ['Files'], attachments: true }
      await servers.as(USER, async (client) => await client.mailboxCreate('Files'))
      await servers.deliver(USER, mailWithFiles('files1@mail.example', 'See the plan.'), { folder: 'Files' })
      const world = await openWorld(model)
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 3, failed: 0 } })
      const rows = async () => [...(await world.indexed()).values()]
      const [conversation] = (await rows()).filter(({ external_id: id }) => !id.includes('/'))
      const attached = (await rows()).filter(({ external_id: id }) => id.includes('/attachments/'))
      expect(
        attached
          .map((row) => [row.title, row.visibility])
          .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      ).toEqual([
        ['The plan.pdf', 'restricted'],
        ['Über.docx', 'restricted'],
      ])
      for (const row of attached) {
        expect(row.url).toMatch(/^mid:files1@mail\.example#\d\/(?:The%20plan\.pdf|%C3%9Cber\.docx)$/)
        expect(row.text?.length).toBeGreaterThan(10)
      }
      // An answer changes the conversation; its files are not read again, as the statement that would store them says.
      await servers.deliver(
        USER,
        mailOf({ id: 'files2@mail.example', root: 'files1@mail.example', text: 'Thanks.' }),
        {
          folder: 'Files',
        },
      )
      expect(await world.sync()).toMatchObject({ counts: { changed: 1, added: 0, removed: 0, fetched: 1 } })
      expect(await world.sync()).toMatchObject({ counts: { changed: 0, added: 0, removed: 0, fetched: 0 } })
      await servers.as(USER, async (client) => {
        await client.mailboxOpen('Files')
        return await client.messageDelete('1', { uid: true })
      })
      expect(await world.sync()).toMatchObject({ counts: { removed: 2, failed: 0 } })
      expect((await rows()).map(({ external_id: id }) => id)).toEqual([conversation?.external_id])
    },
  )

  test(
    'a preview says who the service is there, and what is wrong: password, folder, certificate',
    TIMEOUT,
    async () => {
      const model = modelOf(servers.password)
      const world = await openWorld(model)
      const preview = async (given: { config?: object; password?: string }) =>
        await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
          type: 'mailbox',
          config: { ...model.config, ...given.config },
          credentials: { user: USER, password: given.password ?? servers.password },
        })
      expect(await preview({})).toMatchObject({
        access: {
          account: USER,
          sees: [expect.stringMatching(/^\d+ mails in INBOX$/), expect.stringContaining('People')],
          missing: [expect.stringContaining('publish_all')],
        },
        error: null,
      })
      expect(await preview({ password: 'wrong' })).toMatchObject({
        access: null,
        error: expect.stringMatching(/refused the user or the password.*app password/),
      })
      expect(await preview({ config: { folders: ['Nowhere'] } })).toMatchObject({
        error: expect.stringContaining('did not open the folder Nowhere'),
      })
      expect(await preview({ config: { url: `imaps://127.0.0.1:${servers.imapPort}` } })).toMatchObject({
        error: expect.stringContaining('no valid certificate'),
      })
    },
  )
})

/** A source of all archives that are served. What changes in them, a test sets itself. */
const archiveModel = () => ({
  type: 'mail_archive',
  config: { urls: Object.keys(files).map((path) => `${archives.origin}${path}`) },
  credentials: undefined,
  server: archives,
  documents: () => new Map(),
  add: () => undefined,
  change: () => '',
  hideMost: () => () => undefined,
})

test(
  'what is attached to mails of an archive is read, as everyone may read it',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    const box = (text: string) =>
      `From ada at x.example  Mon Nov 23 03:00:00 2026\n${mailWithFiles('1@files', text).replaceAll('\r', '')}\n`
    files = { '/files.txt': { body: box('See the plan.'), etag: '"1"' } }
    const world = await openWorld({
      ...archiveModel(),
      config: { urls: [`${archives.origin}/files.txt`], attachments: true },
    })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 3, failed: 0 } })
    const found = [...(await world.indexed()).values()].map((row) => [row.title, row.url, row.visibility])
    const at = `${archives.origin}/files.txt`
    expect(found.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      ['About 1@files', at, 'public'],
      ['The plan.pdf', `${at}#0/The%20plan.pdf`, 'public'],
      ['Über.docx', `${at}#1/%C3%9Cber.docx`, 'public'],
    ])
    files['/files.txt'] = { body: box('See the plan, again.'), etag: '"2"' }
    expect(await world.sync()).toMatchObject({ counts: { fetched: 0, removed: 0 } })
    files['/files.txt'] = {
      body: `From ada at x.example  Mon Nov 23 03:00:00 2026\n${mailOf({ id: '2@files', text: 'Another matter.' })}\n`,
      etag: '"3"',
    }
    expect(await world.sync()).toMatchObject({ counts: { added: 1, removed: 3 } })
  },
)

verifies(
  'connectors.mail-sources',
  'an archive of a list is read as conversations without names, again only when it changes, and as everyone may read it',
  async () => {
    const box = (...mails: string[]) =>
      mails.map((mail) => `From ada at x.example  Mon Nov 23 03:00:00 2026\n${mail}\n`).join('\n')
    const first = mailOf({
      id: '1@list',
      subject: '[users] Key <b>rotation</b>',
      text: 'How are keys rotated?\n\n    acme rotate --all\n\nWrite to ada@customer.example.\n-- \nAda Lovelace',
    })
    const second = mailOf({
      id: '2@list',
      root: '1@list',
      from: '=?utf-8?q?Gr=C3=A4ce_Hopper?= <grace@list.example>',
      subject: 'Re: [users] Key <b>rotation</b>',
      text: 'On Mon, Ada Lovelace wrote:\n> How are keys rotated?\n',
    }).replace('On Mon', 'Once a day, Ada Lovelace.\n\nOn Mon')
    const other = mailOf({ id: '3@list', text: 'Another matter.' })
    files = {
      '/2026-October.txt': { body: box(first), etag: '"1"' },
      '/2026-November.txt': { body: box(second, other), etag: '"1"' },
    }
    const model = archiveModel()
    const world = await openWorld(model)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 2 } })
    const found = await world.indexed()
    const thread = found.get(documentOf('1@list'))
    expect(thread).toMatchObject({
      visibility: 'public',
      url: `${archives.origin}/2026-October.txt`,
      title: '[users] Key <b>rotation</b>',
    })
    expect(thread?.text).toMatch(
      /How are keys rotated\?.*acme rotate --all.*\[?address\]?.*Once a day, Author\./s,
    )
    expect(thread?.text).not.toMatch(/Lovelace|Hopper|@|wrote:/)
    expect(await world.headings()).toMatch(/Author, 2026-11-23.*Participant, 2026-11-23/s)

    archives.forget()
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 0, removed: 0 } })
    // Each is asked for only if it is another by now.
    expect(archives.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['"1"', '"1"'])
    files['/2026-November.txt'] = { body: box(second), etag: '"2"' }
    expect(await world.sync()).toMatchObject({ counts: { changed: 0, removed: 1 } })

    // An archive that lost its mails is a fault of its server.
    for (const path of Object.keys(files)) {
      const whole = files[path] ?? { body: '', etag: '' }
      files[path] = { body: '', etag: '"3"' }
      expect(await world.sync()).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(`${path} has no mails`),
      })
      files[path] = whole
    }
    expect((await world.indexed()).size).toBe(1)

    const preview = async (path: string) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'mail_archive',
        config: { urls: [`${archives.origin}${path}`] },
      })
    files['/page'] = { body: '<html>', etag: '"1"' }
    expect(await preview('/gone')).toMatchObject({ error: expect.stringContaining('status 404') })
    expect(await preview('/page')).toMatchObject({ error: expect.stringContaining('no mbox file') })
    files['/long'] = { body: 'From ada  Mon Nov 23 03:00:00 2026\n\n\n'.repeat(50_001), etag: '"1"' }
    expect(await preview('/long')).toMatchObject({
      error: expect.stringContaining('more than 50000 mails in all'),
    })
  },
  TIMEOUT.timeout,
)
