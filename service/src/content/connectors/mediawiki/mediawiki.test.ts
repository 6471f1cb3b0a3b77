import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { runRandomChanges, seedsOf } from '../../../../test/connectors/random-runs.ts'
import { startLongWiki } from '../../../../test/connectors/mediawiki-lists.ts'
import { hasMediawiki, startMediawiki } from '../../../../test/connectors/mediawiki-server.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

/** `npm run test:connectors` sets the first two, `npm run test:strangers` the last one. */
const ITEMS = Number(process.env['CONNECTOR_ITEMS'] ?? 5)
const RUNS = Number(process.env['CONNECTOR_RUNS'] ?? 2)
// In two runs of five pages, this one has each kind of change, and an interruption.
const SEEDS = seedsOf(process.env['CONNECTOR_SEEDS'] ?? '152')
const IS_LONG = ITEMS > 100 || SEEDS.length > 1

const openWorld = shareConnectorWorlds()

/** Debian's package is there, or `tools/install-test-tools.ts` has said that it is not. */
describe.runIf(hasMediawiki())('a real MediaWiki', { tags: ['long'] }, () => {
  let wiki: Awaited<ReturnType<typeof startMediawiki>>
  beforeAll(async () => {
    wiki = await startMediawiki()
  }, TIMEOUT.timeout)
  afterAll(async () => await wiki[Symbol.asyncDispose]())

  verifies(
    'connectors.wiki-and-help-desk-sources',
    'after runs of random edits, moves, redirects, deletions and changes of who may read it, some interrupted, the index is what the wiki has',
    async () => {
      const asked = { open: 0, closed: 0 }
      for (const seed of SEEDS) {
        const world = await openWorld(wiki.model)
        const run = {
          seed,
          items: ITEMS,
          runs: RUNS,
          changesPerRun: 5,
          // Signing in, the log, its pages, what is missing; the list and that of strangers; and each changed page. A wiki tells of 50 pages
          // at once who may read them. The log is read from a minute before the last sync: most pages were made just then.
          maxRequests: (items: number, changed: number) => 9 + 3 * Math.ceil((items + 1) / 50) + 2 * changed,
          ...(IS_LONG && { report: (line: string) => process.stdout.write(`MediaWiki: ${line}\n`) }),
        }
        const done = await runRandomChanges(world, wiki.model, run)
        expect(done.runs).toBe(RUNS)
        asked.open += done.asked.open
        asked.closed += done.asked.closed
      }
      await wiki.open()
      expect(Math.min(asked.open, asked.closed)).toBeGreaterThan(0)
    },
    IS_LONG ? 3_600_000 : TIMEOUT,
  )

  test(
    'a page has its text, its table and its code, and keeps its document when it is moved',
    TIMEOUT,
    async () => {
      const world = await openWorld(wiki.model)
      await wiki.model.add(createRandom(1))
      const [id = '', page] = [...wiki.pages].at(-1) ?? []
      await world.sync()
      const before = (await world.indexed()).get(id)
      expect(before?.text).toMatch(
        /The word of this page.*\| Free \| 10 \|.*```\nacme --word \w+ <file>\n```/s,
      )
      expect(before?.text).not.toContain('edit')
      await wiki.admin.act({ action: 'move', fromid: id, to: 'Moved here', noredirect: '1' })
      if (page !== undefined) page.title = 'Moved here'
      wiki.server.forget()
      expect(await world.sync()).toMatchObject({ counts: { changed: 1, added: 0, removed: 0 } })
      expect((await world.indexed()).get(id)?.url).toBe(`${wiki.server.origin}/index.php/Moved_here`)
      const parsed = wiki.server.requests.filter(({ query }) => query.get('action') === 'parse')
      expect(parsed.map(({ query }) => query.get('pageid'))).toEqual([id])
    },
  )

  test('a page whose template changes is read again', TIMEOUT, async () => {
    const world = await openWorld(wiki.model)
    const write = async (title: string, text: string) => await wiki.admin.act({ action: 'edit', title, text })
    await write('Template:Limit', 'ten')
    const { edit } = await write('Limits', 'The limit is {{Limit}} things.')
    const id = String(edit?.pageid)
    await world.sync()
    expect((await world.indexed()).get(id)?.text).toContain('The limit is ten things.')
    await wiki.nextSecond()
    await write('Template:Limit', 'twenty')
    await wiki.runJobs()
    expect(await world.sync()).toMatchObject({ counts: { changed: 1 } })
    expect((await world.indexed()).get(id)?.text).toContain('The limit is twenty things.')
    await wiki.admin.act({ action: 'delete', title: 'Limits' })
  })

  test('a wiki that closes is restricted, and open again when everyone may read it', TIMEOUT, async () => {
    const world = await openWorld(wiki.model)
    await world.sync()
    expect(await world.differences()).toEqual([])
    await wiki.close()
    await world.sync()
    expect(await world.differences()).toEqual([])
    const visibility = async () => [
      ...new Set([...(await world.indexed()).values()].map((row) => row.visibility)),
    ]
    expect(await visibility()).toEqual(['restricted'])
    const preview = async (credentials: object | null) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'mediawiki',
        config: wiki.model.config,
        credentials,
      })
    expect(await preview({ ...wiki.model.credentials })).toMatchObject({
      access: {
        account: 'Admin',
        sees: [expect.stringMatching(/pages of Test wiki \(MediaWiki 1\./)],
        missing: [expect.stringContaining('publish_all')],
      },
      error: null,
    })
    expect(await preview(null)).toMatchObject({
      access: null,
      error: expect.stringMatching(/need read permission.*Special:BotPasswords/),
    })
    expect(await preview({ user: 'Admin@citewell', password: 'wrong-CANARY' })).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not accept the credentials.*Special:BotPasswords/),
    })
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
    await world.sync()
    expect(await visibility()).toEqual(['public'])
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: false } })
    await wiki.open()
    await world.sync()
    expect(await world.differences()).toEqual([])
  })

  test('a wiki that is busy, broken, and without a session in between', TIMEOUT, async () => {
    const world = await openWorld(wiki.model)
    const late = { status: 503, headers: { 'retry-after': '1' }, body: 'Waiting for a database server' }
    const lagged = {
      headers: { 'retry-after': '1' },
      body: { error: { code: 'maxlag', info: 'Waiting for a database server: 6 seconds lagged.' } },
    }
    const broken = { status: 500, body: 'oops' }
    const ended = { body: { error: { code: 'assertuserfailed', info: 'You are no longer logged in' } } }
    wiki.server.misbehave(late, undefined, broken, lagged, undefined, ended)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
    expect(await world.differences()).toEqual([])
  })

  test(
    'an open wiki is read without credentials, and only the namespaces that were asked for',
    TIMEOUT,
    async () => {
      await wiki.admin.act({ action: 'edit', title: 'Help:Begin', text: 'A page of the help.' })
      const anonymous = { ...wiki.model, credentials: undefined }
      const world = await openWorld(anonymous)
      await world.sync()
      expect(await world.differences()).toEqual([])
      await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { namespaces: [12] } })
      await world.sync({ accept_deletions: true })
      const rows = [...(await world.indexed()).values()]
      expect(rows.map(({ title, visibility }) => [title, visibility])).toEqual([['Help:Begin', 'public']])
    },
  )
})

test(
  'a list that tells of its pages bit by bit is read once, and closed pages are restricted',
  TIMEOUT,
  async () => {
    const pages = [1, 2, 3].map((id) => ({ id, isClosed: id === 3 }))
    await using server = await startLongWiki(pages)
    const model = {
      type: 'mediawiki',
      config: { url: `${server.origin}/api.php` },
      credentials: { user: 'Reader@citewell', password: 'secret' },
      server,
      documents: () =>
        new Map(
          pages.map(({ id, isClosed }) => [String(id), { text: `word${id}x`, isRestricted: isClosed }]),
        ),
      add: () => undefined,
      change: () => '',
      hideMost: () => () => undefined,
    }
    const world = await openWorld(model)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 3, changed: 0 } })
    expect(await world.differences()).toEqual([])
    const asked = (what: (query: URLSearchParams) => boolean) =>
      server.requests.filter(({ query }) => what(query)).length
    const parsed = () => asked((query) => query.get('action') === 'parse')
    expect(parsed()).toBe(3)
    expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0, unchanged: 3 } })
    expect(parsed()).toBe(3)
    // A wiki that does not tell of a page has not said that it is gone.
    pages.pop()
    server.onRequest = ({ query }) => {
      if (query.has('pageids')) server.misbehave({ body: { batchcomplete: true } })
    }
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { removed: 0, failed: 1 },
      errors: [{ reason: expect.stringContaining('did not tell of the page 3') }],
    })
    server.onRequest = undefined
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { removed: 1 } })
    // The check looks at the first part of what strangers see, and then the reading at the three parts.
    server.forget()
    await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
      type: 'mediawiki',
      config: model.config,
      credentials: model.credentials,
    })
    expect(asked((query) => query.has('generator') && !query.has('assert'))).toBe(1 + 2)
  },
)
