import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { APP_SECRET, startGraph } from '../../../../test/connectors/graph-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

const openWorld = shareConnectorWorlds()

test(
  'files are fetched at another host without a token, and links to another host are not followed',
  TIMEOUT,
  async () => {
    await using graph = await startGraph()
    const world = await openWorld(graph.model)
    graph.put({ id: 'one', name: 'One.md', parent: 'guide', word: 'firstword' })
    expect(await world.sync()).toMatchObject({ status: 'succeeded' })
    expect(graph.files.requests).toHaveLength(1)
    expect(graph.files.requests[0]?.headers.authorization).toBeUndefined()
    expect([...(await world.indexed()).values()]).toMatchObject([{ title: 'One', visibility: 'restricted' }])

    // A next page, and a place to go on, that are elsewhere: a token would go there.
    graph.state.linkOrigin = 'https://attacker.example'
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('another host (attacker.example)'),
      counts: { removed: 0 },
    })
    graph.state.linkOrigin = ''
    graph.state.isDenied = true
    graph.put({ id: 'two', name: 'Two.md', parent: 'guide', word: 'secondword' })
    const denied = await world.sync()
    expect(denied).toMatchObject({ status: 'partial', counts: { failed: 1 } })
    expect(denied.errors[0]?.reason).toContain('does not let this account download Two.md')

    // What changed elsewhere is in a folder that the account may not open.
    graph.state.isDenied = false
    graph.state.hidden.add('private')
    graph.put({ id: 'three', name: 'Three.md', parent: 'private', word: 'thirdword' })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
  },
)

test(
  'a file of which SharePoint cannot tell who may open it is restricted, and the others are read',
  TIMEOUT,
  async () => {
    await using graph = await startGraph()
    const world = await openWorld(graph.model)
    const open = { parent: 'guide', link: 'anonymous', word: 'openword' } as const
    graph.put({ id: 'one', name: 'One.md', ...open })
    graph.put({ id: 'two', name: 'Two.md', ...open })
    const visibilities = async () => {
      expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
      return [...(await world.indexed()).values()]
        .map(({ title, visibility }) => `${title} ${visibility}`)
        .toSorted()
    }
    expect(await visibilities()).toEqual(['One public', 'Two public'])
    graph.state.broken.add('two')
    expect(await visibilities()).toEqual(['One public', 'Two restricted'])
    graph.state.broken.clear()
    expect(await visibilities()).toEqual(['One public', 'Two public'])
  },
)

test('a film of 50 MB is not fetched, and its owner reads what to do', TIMEOUT, async () => {
  await using graph = await startGraph()
  const world = await openWorld(graph.model)
  graph.put({ id: 'one', name: 'One.md', parent: 'guide', word: 'firstword' })
  await world.sync()
  const before = await world.indexed()
  expect(before.size).toBe(1)
  graph.files.forget()
  const film = { id: 'film', name: 'Film.md', parent: 'guide', word: 'filmword' }
  graph.put({ ...film, bytes: 50_000_000 })
  expect(await world.sync()).toMatchObject({
    status: 'partial',
    counts: { failed: 1, removed: 0 },
    errors: [{ reason: expect.stringContaining('larger than 32 MiB: divide it into parts') }],
  })
  expect(graph.files.requests).toEqual([])
  expect(await world.indexed()).toEqual(before)
  graph.put(film)
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
})

test('a token of changes that is too old reads all, and nothing unchanged again', TIMEOUT, async () => {
  await using graph = await startGraph()
  const world = await openWorld(graph.model)
  for (let made = 0; made < 5; made += 1) graph.add(createRandom(made))
  await world.sync()
  graph.state.oldestToken = graph.log.length + 1
  graph.files.forget()
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 0, changed: 0 } })
  expect(graph.files.requests).toEqual([])
  expect(await world.differences()).toEqual([])
  graph.expire()
  expect(await world.sync()).toMatchObject({ status: 'succeeded' })

  // More documents than are compared with a list in each sync: what was read as a whole tells what is missing.
  await world.storage.execute(`insert into documents
    (knowledge_base_id, id, source_id, external_id, url, title, visibility, live_version, created_at, updated_at)
    select '${world.baseId}', gen_random_uuid(), '${world.sourceId}', 'lost ' || at, 'https://acme.example/' || at, 'Lost', 'public', 1, now(), now()
    from generate_series(1, 2001) at`)
  graph.state.oldestToken = graph.log.length + 1
  expect(await world.sync()).toMatchObject({
    status: 'partial',
    error: expect.stringMatching(/^The source no longer shows 2001 of 20\d\d documents/),
  })
})

test(
  'of a library too large to be listed in each sync, what is gone goes at once, and much of it with consent only',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using graph = await startGraph({ pageSize: 1_000 })
    const world = await openWorld(graph.model)
    const put = (at: number) =>
      graph.put({ id: `big${at}x`, name: `big${at}x.md`, parent: 'inner', word: 'one', version: 1 })
    put(0)
    await world.sync()
    // As if the others had been read too.
    const from = graph.log.length
    for (let at = 1; at <= 2_100; at += 1) put(at)
    graph.log.splice(from)
    await world.multiply(2_100)
    const lose = (first: number, last: number) => {
      for (let at = first; at <= last; at += 1) {
        const item = graph.items.get(`big${at}x`)
        if (item !== undefined) item.isDeleted = true
        graph.log.push(`big${at}x`)
      }
    }
    lose(1, 30)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 0, removed: 30 } })

    // With a folder that changed, the library is listed: the list tells what is gone, and the changes after it do not.
    graph.log.push('inner')
    lose(31, 630)
    const held = { status: 'partial', counts: { removed: 0 } }
    const told = expect.stringContaining('no longer shows 600 of 2071 documents')
    expect(await world.sync()).toMatchObject({ ...held, error: told })
    expect(await world.sync()).toMatchObject({ ...held, error: told })
    expect(await world.sync({ accept_deletions: true })).toMatchObject({
      status: 'succeeded',
      counts: { removed: 600 },
    })
  },
)

test('a wrong secret, a missing library and a missing tenant are told with what to do', TIMEOUT, async () => {
  await using graph = await startGraph()
  const world = await openWorld(graph.model)
  const preview = async (config: object, secret = APP_SECRET) =>
    (
      await world.ask<{ error: string | null }>('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'sharepoint',
        config: { ...graph.model.config, ...config },
        credentials: { client_id: 'app-1', client_secret: secret },
      })
    ).error
  expect(await preview({}, 'wrong')).toMatch(/AADSTS7000215: Invalid client secret.*secret has not expired/)
  expect(await preview({ tenant: null })).toMatch(/directory \(tenant\) ID/)
  expect(await preview({ urls: ['https://acme.sharepoint.com/sites/Docs/Nothing'] })).toMatch(
    /no document library at/,
  )
  expect(await preview({ urls: ['https://acme.sharepoint.com/sites/Other'] })).toMatch(/has nothing at/)
  const whole =
    'https://acme.sharepoint.com/sites/Docs/Shared%20Documents/Forms/AllItems.aspx?id=%2Fsites%2FDocs%2FShared%20Documents%2FGuide%20%26%20more%2FInner'
  expect(await preview({ urls: [whole] })).toBeNull()
  expect(await preview({ urls: ['https://acme.sharepoint.com/sites/Docs'] })).toBeNull()
})
