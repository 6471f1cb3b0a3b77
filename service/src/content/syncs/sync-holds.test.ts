import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../test/connectors/connector-world.ts'
import { startDiscourse } from '../../../test/connectors/discourse-stand-in.ts'
import { startNotion } from '../../../test/connectors/notion-stand-in.ts'
import { createRandom } from '../../../test/connectors/random.ts'
import { startStandIn } from '../../../test/connectors/stand-in-server.ts'
import { startZendesk } from '../../../test/connectors/zendesk-stand-in.ts'

const openWorld = shareConnectorWorlds()

const textsOf = (rows: ReadonlyMap<string, { text: string | null; title: string }>) =>
  [...rows].map(([id, { text, title }]) => `${id} ${title}: ${text}`).toSorted()

/** With the round in the message of a failure. */
const same = (about: string, found: unknown, wanted: unknown) =>
  expect({ about, found }).toEqual({ about, found: wanted })

/** What is decided on each sync, again and again. */
const DECISIONS = ['leave', 'measure', 'discard', 'leave', 'leave', 'measure', 'leave', 'discard'] as const
const ROUNDS = 9

test(
  'random changes, syncs that a crash interrupted, and every decision: readers see nothing of it before the release, and the source after it',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using zendesk = await startZendesk({ exportSize: 40 })
    const world = await openWorld(zendesk.model)
    const random = createRandom(20_261_123)
    await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
    // As after a crash: nothing but the schedule begins it. Without a question everything is released.
    const measure = async () => await world.heldSyncs.jobs[0]?.handle({}, new AbortController().signal)
    const holdOf = async (id: string) =>
      (await world.ask<{ hold: { status: string } | null }>('GET', `/syncs/${id}`)).hold?.status

    for (let item = 0; item < 40; item += 1) zendesk.model.add(random)
    const decisions: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const about = `round ${round}, ${decisions.join(' ')}`
      const before = await world.indexed()
      for (let left = random.below(9); left > 0; left -= 1) zendesk.model.change(random)
      const { id, status, error } =
        random.below(3) === 0
          ? await world.syncCrashed({ kind: 'request', number: 1 + random.below(6) })
          : await world.sync()
      same(about, [status, error], ['succeeded', null])

      const seen = await world.indexed()
      same(about, textsOf(seen), textsOf(before))
      // What was not visible to everyone is not now, unless its text is what they may see.
      const opened = [...seen].filter(
        ([externalId, row]) =>
          row.visibility === 'public' &&
          before.get(externalId)?.visibility === 'restricted' &&
          row.text?.includes(zendesk.model.documents().get(externalId)?.text ?? ' none') !== true,
      )
      same(about, opened, [])

      const decision = DECISIONS[round % DECISIONS.length] ?? 'leave'
      decisions.push(decision)
      const isHeld = (await holdOf(id)) === 'measuring'
      if (decision === 'measure') await measure()
      if (decision === 'discard' && isHeld) await world.ask('POST', `/syncs/${id}/discard`)
      const wrong = decision === 'measure' ? await world.differences() : []
      same(about, wrong, [])
      const after = decision === 'measure' ? undefined : await world.indexed()
      same(about, after ?? seen, seen)
      const ends = { measure: 'released', discard: 'discarded', leave: 'measuring' } as const
      same(about, await holdOf(id), isHeld ? ends[decision] : undefined)
    }

    await world.sync()
    await measure()
    expect(await world.differences()).toEqual([])
    expect(await world.indexing.inspectIndex()).toMatchObject({
      documentsWithoutChunks: 0,
      documentsWithOtherCount: 0,
      unseenChunks: 0,
    })
    const left = await world.storage.execute(`select (select count(*)::int from held_documents) as held,
      (select count(*)::int from documents where live_version is null) as unseen,
      (select sum(stored_bytes) from documents) = (select sum(bytes) from workspace_storage) as counted`)
    expect(left.rows[0]).toEqual({ held: 0, unseen: 0, counted: true })
  },
)

test(
  'what the source refuses to its account goes at once, also while everything else of the sync is held',
  TIMEOUT,
  async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    const random = createRandom(7)
    for (let item = 0; item < 6; item += 1) zendesk.model.add(random)
    for (const article of zendesk.articles.values()) Object.assign(article, { draft: false, segment: null })
    await world.sync()
    await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
    const before = await world.indexed()
    const [refused, archived, edited] = [...zendesk.articles.values()]
    if (refused === undefined || archived === undefined || edited === undefined)
      throw new Error('no articles')
    zendesk.refused.add(refused.id)
    zendesk.articles.delete(archived.id)
    Object.assign(edited, { word: 'edited', edited: zendesk.tick() })
    const { counts } = await world.sync()
    expect(counts).toMatchObject({ removed: 2, changed: 1 })
    before.delete(String(refused.id))
    expect(textsOf(await world.indexed())).toEqual(textsOf(before))
  },
)

test('a product that hides what is restricted as if it were gone holds no removal', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const random = createRandom(8)
  const pages = Array.from({ length: 4 }, () => notion.add(random))
  for (const page of pages) Object.assign(page, { isPublished: true, isShared: true })
  await world.sync()
  await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
  const before = await world.indexed()
  const [unshared, edited] = pages
  if (unshared === undefined || edited === undefined) throw new Error('no pages')
  unshared.isShared = false
  Object.assign(edited, { word: 'edited', edited: notion.tick() })
  const { counts } = await world.sync()
  expect(counts).toMatchObject({ removed: 1, changed: 1 })
  before.delete(unshared.id)
  expect(textsOf(await world.indexed())).toEqual(textsOf(before))
})

test('a page that a website refuses now goes at once, one that is gone is held', TIMEOUT, async () => {
  const statuses: Record<string, number> = {}
  await using server = await startStandIn(({ path }) => ({
    status: statuses[path] ?? (/^\/(?:one|two|three|)$/.test(path) ? 200 : 404),
    headers: { 'content-type': 'text/html' },
    body: `<title>Page ${path}</title><main><h1>Page ${path}</h1><p>The text of ${path} is its own.</p><a href="/one">1</a> <a href="/two">2</a> <a href="/three">3</a></main>`,
  }))
  const world = await openWorld({
    type: 'website',
    config: { start_urls: [`${server.origin}/`] },
    credentials: undefined,
    server,
    documents: () => new Map(),
    add: () => undefined,
    change: () => '',
    hideMost: () => () => undefined,
  })
  await world.sync()
  await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
  const before = await world.indexed()
  expect(before.size).toBe(4)
  Object.assign(statuses, { '/one': 401, '/two': 403, '/three': 410 })
  const { counts } = await world.sync()
  expect(counts).toMatchObject({ removed: 3 })
  expect([...(await world.indexed()).keys()].toSorted()).toEqual([
    `${server.origin}/`,
    `${server.origin}/three`,
  ])
})

test('nobody decides while documents are read; of several that decide one does, while nobody else writes', async () => {
  const read = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  await using server = await startStandIn(async ({ path }) => {
    if (path !== '/') return { status: 404, body: 'gone' }
    begun.resolve()
    await read.promise
    const body = '<title>Keys</title><main><h1>Keys</h1><p>Keys rotate daily.</p></main>'
    return { headers: { 'content-type': 'text/html' }, body }
  })
  const world = await openWorld({
    type: 'website',
    config: { start_urls: [`${server.origin}/`] },
    credentials: undefined,
    server,
    documents: () => new Map(),
    add: () => undefined,
    change: () => '',
    hideMost: () => () => undefined,
  })
  await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
  const syncing = world.sync()
  await begun.promise
  const { data } = await world.ask<{ data: { id: string }[] }>('GET', `/sources/${world.sourceId}/syncs`)
  const decide = async (how: 'accept' | 'discard') => await world.send('POST', `/syncs/${data[0]?.id}/${how}`)
  expect(await decide('accept')).toMatchObject({
    status: 409,
    body: { error: 'This sync is still being read. Wait for its end, or cancel it.' },
  })
  read.resolve()
  expect(await syncing).toMatchObject({ status: 'succeeded', counts: { added: 1 } })

  const of = { knowledgeBaseId: world.baseId, sourceId: world.sourceId }
  const { releaseHeld, discardHeld } = world.indexing
  for (const end of [releaseHeld, discardHeld]) {
    await end(of, async (transaction) => {
      const { rows } = await sql`select xmax::text = pg_current_xact_id()::xid::text as is_locked from sources
        where knowledge_base_id = ${of.knowledgeBaseId} and id = ${of.sourceId}`.execute(transaction)
      expect(rows).toEqual([{ is_locked: true }])
      return false
    })
  }

  const answers = await Promise.all(Array.from({ length: 4 }, async () => await decide('discard')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
})

test('a topic of a forum that is for members now goes at once', TIMEOUT, async () => {
  await using forum = await startDiscourse({ isAnonymous: true })
  const world = await openWorld(forum.model)
  const random = createRandom(10)
  const topics = Array.from({ length: 3 }, () =>
    Object.assign(forum.addTopic(random), { isListed: true, category: 1 }),
  )
  await world.sync()
  await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
  const before = await world.indexed()
  const [closed, edited] = topics
  if (closed === undefined || edited === undefined) throw new Error('no topics')
  // The category of the team.
  closed.category = 3
  forum.addPost(edited, '<p>Edited.</p>')
  const { counts } = await world.sync()
  expect(counts).toMatchObject({ removed: 1, changed: 1 })
  expect(before.delete(String(closed.id))).toBe(true)
  expect(textsOf(await world.indexed())).toEqual(textsOf(before))
})

test(
  'a page that is held stays so when it is saved again, and is not held any more when it is what readers see',
  TIMEOUT,
  async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    const random = createRandom(11)
    for (let item = 0; item < 3; item += 1) zendesk.model.add(random)
    for (const article of zendesk.articles.values()) Object.assign(article, { draft: false })
    await world.sync()
    // Another source of the base holds nothing back.
    await world.ask('POST', `/knowledge-bases/${world.baseId}/sources`, { type: 'push', name: 'other' })
    await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
    const [article] = zendesk.articles.values()
    if (article === undefined) throw new Error('no articles')
    const held = async (word: string) => {
      Object.assign(article, { word, edited: zendesk.tick() })
      await world.sync()
      const { rows } = await world.storage.execute(
        `select external_id from held_documents join documents on documents.id = document_id where documents.source_id = '${world.sourceId}'`,
      )
      return rows.length
    }
    const { word } = article
    expect(await held('edited')).toBe(1)
    expect(await held('edited')).toBe(1)
    expect(await held(word)).toBe(0)
  },
)

test('a worker that lost its sync holds nothing any more', TIMEOUT, async () => {
  await using zendesk = await startZendesk()
  const world = await openWorld(zendesk.model)
  const random = createRandom(9)
  for (let item = 0; item < 3; item += 1) zendesk.model.add(random)
  for (const article of zendesk.articles.values()) Object.assign(article, { draft: false })
  await world.ask('PATCH', `/sources/${world.sourceId}`, { hold_back_drop: 0 })
  let decided: Promise<unknown> | undefined
  zendesk.server.onRequest = () => {
    decided ??= world.storage.execute(
      `update syncs set lease = null, status = 'succeeded', finished_at = now(), hold_status = 'released' where source_id = '${world.sourceId}'`,
    )
  }
  const { status } = await world.sync()
  await decided
  expect(status).toBe('succeeded')
  const left = await world.storage.execute(
    `select (select count(*)::int from held_documents where source_id = '${world.sourceId}') as held,
      (select count(*)::int from documents where source_id = '${world.sourceId}') as documents`,
  )
  expect(left.rows[0]).toEqual({ held: 0, documents: 0 })
})
