import { createV1Client } from 'confluence.js/v1'
import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { startConfluence } from '../../../../test/connectors/confluence-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { isRestricted } from './confluence.ts'
import { Content } from './confluence-schemas.ts'

const openWorld = shareConnectorWorlds()

describe('a Confluence', () => {
  test(
    'files at a page are documents of their own: in its visibility, gone with it, and cited where they are',
    TIMEOUT,
    async () => {
      await using confluence = await startConfluence()
      const { model, media } = confluence
      const world = await openWorld(model)
      const random = createRandom(1)
      const [page, secret] = [confluence.add(random), confluence.add(random)]
      Object.assign(page, { space: 'OPEN', parent: undefined, isRestricted: false })
      Object.assign(secret, { space: 'OPEN', parent: undefined, isRestricted: true })
      // More than come with the page.
      const files = [1, 2, 3].map((at) => confluence.attach(page, `Guide ${at}.md`))
      confluence.attach(secret, 'Secret.md')
      confluence.attach(page, 'logo.png')
      Object.assign(confluence.attach(page, 'Film.pdf'), { bytes: 50_000_000 })
      const first = await world.sync()
      expect(first).toMatchObject({ status: 'succeeded', counts: { added: 6, failed: 0 } })
      expect(first.errors).toEqual([
        {
          kind: 'skipped',
          url: expect.stringContaining(`viewpageattachments.action?pageId=${page.id}`),
          reason: expect.stringMatching(/Film\.pdf is larger than 32 MiB: divide it into parts/),
        },
      ])
      const row = (await world.indexed()).get(`${page.id}/attachments/att${files[0]?.id}`)
      expect(row).toMatchObject({
        title: 'Guide 1.md',
        url: `https://acme.atlassian.net/wiki/pages/viewpageattachments.action?pageId=${page.id}&highlight=Guide%201.md`,
        visibility: 'public',
        text: expect.stringContaining(files[0]?.word ?? '?'),
      })
      const visibilities = async () =>
        [...(await world.indexed())]
          .filter(([id]) => id.startsWith(`${page.id}/`))
          .map(([, { visibility }]) => visibility)
      expect(await visibilities()).toEqual(['public', 'public', 'public'])
      media.forget()
      expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0, removed: 0 } })
      expect(media.requests).toEqual([])
      page.isRestricted = true
      await world.sync()
      expect(await visibilities()).toEqual(['restricted', 'restricted', 'restricted'])
      confluence.pages.delete(page.id)
      await world.sync()
      expect([...(await world.indexed()).keys()].filter((id) => id.startsWith(page.id))).toEqual([])
      // Of a source that reads none, they go.
      await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { attachments: false } })
      await world.sync()
      expect([...(await world.indexed()).keys()]).toEqual([secret.id])
    },
  )

  test('a space that was misspelt is named, and the others are read', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const { model } = confluence
    const world = await openWorld({ ...model, config: { ...model.config, spaces: ['open', 'TEMA'] } })
    Object.assign(confluence.add(createRandom(1)), { space: 'OPEN', parent: undefined })
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { added: 1, failed: 1 },
      errors: [{ reason: expect.stringMatching(/No page of the space TEMA .*Check the key/) }],
    })
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { spaces: ['OPEN'] } })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { unchanged: 1 } })
  })

  test(
    'a file that is refused fails alone, and what failed is read again alone',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      await using confluence = await startConfluence()
      const { model, media, server } = confluence
      const world = await openWorld(model)
      const page = confluence.add(createRandom(6))
      // More than are listed in one answer.
      const refused = Array.from({ length: 101 }, () => confluence.attach(page))
      for (const [at, file] of refused.entries()) file.refusedWith = at % 2 === 0 ? 401 : 403
      const open = confluence.attach(page)
      const first = await world.sync()
      expect(first).toMatchObject({ status: 'partial', error: null, counts: { added: 2, failed: 101 } })
      expect(first.errors.slice(0, 2).map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/is not given to the account of this source, .*\(401\)/),
        expect.stringContaining('does not let this account read'),
      ])
      for (const file of refused.slice(1)) delete file.refusedWith
      server.forget()
      media.forget()
      const second = await world.sync()
      expect(second).toMatchObject({ status: 'partial', counts: { added: 100, changed: 0, failed: 1 } })
      expect(media.requests.map(({ path }) => path)).not.toContain(`/file/${open.id}`)
      // The page is opened once for all of them.
      const opened = server.requests.filter(({ query }) => query.get('expand')?.startsWith('body'))
      expect(opened.map(({ query }) => query.get('cql'))).toEqual([
        `type in (page, blogpost) and id in (${page.id})`,
      ])
    },
  )

  test('a file that is refused stays, although another of its page is gone', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const page = confluence.add(createRandom(7))
    const kept = confluence.attach(page)
    confluence.attach(page)
    expect(await world.sync()).toMatchObject({ counts: { added: 3 } })
    Object.assign(kept, { version: 2, refusedWith: 403 })
    page.files.pop()
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { added: 0, changed: 0, unchanged: 1, removed: 1, failed: 1 },
    })
    expect([...(await world.indexed()).keys()].toSorted()).toEqual([
      page.id,
      `${page.id}/attachments/att${kept.id}`,
    ])
  })

  test(
    'on a server of one’s own a file with a long name is read; without an address it fails alone',
    TIMEOUT,
    async () => {
      await using confluence = await startConfluence({ isCloud: false })
      const world = await openWorld(confluence.model)
      const page = confluence.add(createRandom(8))
      const long = confluence.attach(page, `${'说明'.repeat(125)}.md`)
      const alike = confluence.attach(page, `${'说明'.repeat(125)} 2.md`)
      confluence.attach(page, `${'说明'.repeat(600)}.md`)
      expect(await world.sync()).toMatchObject({
        status: 'partial',
        error: null,
        counts: { added: 3, failed: 1 },
        errors: [{ reason: expect.stringContaining('did not send where the file') }],
      })
      // Names that begin alike have addresses of their own.
      const rows = await world.indexed()
      const list = `${confluence.server.origin}/confluence/pages/viewpageattachments.action?pageId=${page.id}`
      for (const { id } of [long, alike]) {
        expect(rows.get(`${page.id}/attachments/att${id}`)).toMatchObject({
          url: `${list}&highlight=${encodeURIComponent('说明'.repeat(50))}&file=att${id}`,
        })
      }
    },
  )

  test('an answer that does not say which files are at a page removes none', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const page = confluence.add(createRandom(9))
    confluence.attach(page)
    await world.sync()
    const untold = { id: page.id, title: page.title, version: { number: 1 }, ancestors: [] }
    const answer = { body: { results: [untold], _links: {} } }
    // The list, after the changes.
    confluence.server.misbehave(undefined, undefined, answer)
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      counts: { removed: 0 },
      error: expect.stringContaining('did not send which files are at the page'),
    })
    expect(await world.sync()).toMatchObject({ status: 'succeeded' })
    expect(await world.differences()).toEqual([])
  })

  test('only pages that strangers read are public, unless the owner publishes all', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const random = createRandom(1)
    const [parent, child, team] = [confluence.add(random), confluence.add(random), confluence.add(random)]
    Object.assign(parent, { space: 'OPEN', parent: undefined, isRestricted: false })
    Object.assign(child, { space: 'OPEN', parent: parent.id, isRestricted: false })
    Object.assign(team, { space: 'TEAM', parent: undefined, isRestricted: false })
    const visibility = async () => {
      await world.sync()
      const rows = await world.indexed()
      return [parent, child, team].map(({ id }) => rows.get(id)?.visibility)
    }
    expect(await visibility()).toEqual(['public', 'public', 'restricted'])
    // The restriction of a page holds for the pages below it.
    parent.isRestricted = true
    expect(await visibility()).toEqual(['restricted', 'restricted', 'restricted'])
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
    expect(await visibility()).toEqual(['restricted', 'restricted', 'public'])
    parent.isRestricted = false
    expect(await visibility()).toEqual(['public', 'public', 'public'])
    confluence.close()
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: false } })
    expect(await visibility()).toEqual(['restricted', 'restricted', 'restricted'])
  })

  test('a changed page alone is read again, and cited at its own address', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const random = createRandom(2)
    const page = confluence.add(random)
    for (let item = 0; item < 8; item += 1) confluence.add(random)
    await world.sync()
    expect((await world.indexed()).get(page.id)).toMatchObject({
      url: `https://acme.atlassian.net/wiki/spaces/${page.space}/pages/${page.id}/${page.title.replaceAll(' ', '+')}`,
      text: expect.stringMatching(/Space (?:OPEN|TEAM).*About it.*acme --word \w+ <file>.*Free/s),
    })
    confluence.changes['edit']?.(page, random)
    confluence.server.forget()
    expect(await world.sync()).toMatchObject({ counts: { changed: 1, added: 0, removed: 0, failed: 0 } })
    const read = confluence.server.requests.filter(({ query }) => query.get('expand')?.startsWith('body'))
    expect(read.map(({ query }) => query.get('cql'))).toEqual([
      `type in (page, blogpost) and id in (${page.id})`,
    ])
  })

  test('busy, broken and expired answers', { ...TIMEOUT, tags: ['long'] }, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    for (let item = 0; item < 30; item += 1) confluence.add(createRandom(item))
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Rate limit exceeded' } }
    const broken = { status: 500, body: { statusCode: 500, message: 'Internal error' } }
    confluence.server.misbehave(busy, undefined, broken, broken)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
    expect(await world.differences()).toEqual([])

    const before = await world.indexed()
    const expired = { status: 401, body: { code: 401, message: 'Unauthorized' } }
    confluence.server.misbehave(expired)
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('does not accept the credentials'),
    })
    // Too deep for whoever looks for the sentence in it.
    const deep = `{"message":${'['.repeat(40_000)}${']'.repeat(40_000)}}`
    confluence.server.misbehave(undefined, { status: 400, body: deep })
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Confluence answered 400'),
    })
    const noNext = { body: { results: [], _links: { next: 'https://elsewhere.example/' } } }
    confluence.server.misbehave(undefined, noNext)
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('an address at another host (elsewhere.example)'),
    })
    expect(await world.indexed()).toEqual(before)
    confluence.model.hideMost()
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    expect(await world.sync({ accept_deletions: true })).toMatchObject({ counts: { removed: 23 } })
  })

  test('the check says who reads, what, and what is missing', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const preview = async (credentials: object) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'confluence',
        config: confluence.model.config,
        credentials,
      })
    const { credentials = {} } = confluence.model
    expect(await preview({ ...credentials, token: 'an-old-CANARY' })).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not accept the credentials.*Unauthorized.*new API token/),
    })
    expect(await preview(credentials)).toMatchObject({
      access: { account: 'Reader', missing: [expect.stringContaining('Space permissions')] },
    })
    Object.assign(confluence.add(createRandom(3)), { space: 'TEAM' })
    expect(await preview(credentials)).toMatchObject({
      access: {
        sees: ['1 pages, 1 of them restricted'],
        missing: [expect.stringContaining('publish_all')],
      },
      error: null,
    })
  })

  test('a page that is too long fails alone', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    const world = await openWorld(confluence.model)
    const page = confluence.add(createRandom(4))
    confluence.add(createRandom(5))
    page.body = `<p>${'x'.repeat(4_000_000)}</p>`
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { added: 1, failed: 1 },
      errors: [{ reason: expect.stringContaining('longer than 4000000 characters') }],
    })
  })
})

test('a page counts as restricted if its restrictions, or those of the pages above it, are not told', () => {
  const nobody = { results: [], size: 0 }
  const told = { read: { restrictions: { user: nobody, group: nobody } } }
  const staff = { read: { restrictions: { user: nobody, group: { results: [{ name: 'staff' }] } } } }
  const page = { id: '1', version: { number: 1 }, restrictions: told, ancestors: [{ restrictions: told }] }
  const restricted = (more: object) => isRestricted(Content.parse({ ...page, ...more }))
  expect(restricted({})).toBe(false)
  expect(restricted({ restrictions: staff })).toBe(true)
  expect(restricted({ ancestors: [{ restrictions: told }, { restrictions: staff }] })).toBe(true)
  expect(restricted({ restrictions: { read: { restrictions: { user: nobody } } } })).toBe(true)
  expect(restricted({ restrictions: { _expandable: { read: '' } } })).toBe(true)
  expect(restricted({ ancestors: [{ title: 'Above' }] })).toBe(true)
  expect(restricted({ ancestors: undefined })).toBe(true)
  // Blog posts are below nothing.
  expect(restricted({ ancestors: undefined, type: 'blogpost' })).toBe(false)
})

test('a client of Confluence that is not ours reads the stand-in, and its schemas hold for each answer', async () => {
  await using confluence = await startConfluence()
  const random = createRandom(9)
  const added = Array.from({ length: 45 }, () => confluence.add(random))
  const [first] = added
  if (first === undefined) throw new Error('No page')
  confluence.attach(first, 'Guide.md')
  const clientWith = (apiToken: string) =>
    createV1Client({
      host: confluence.server.origin,
      auth: { type: 'basic', email: String(confluence.model.credentials?.['email']), apiToken },
    })
  const client = clientWith(String(confluence.model.credentials?.['token']))
  const query = {
    cql: 'type in (page, blogpost) order by created asc',
    limit: 20,
    expand: [
      'body.storage',
      'version',
      'space',
      'ancestors',
      'restrictions.read.restrictions.user',
      'children.attachment.version',
    ],
  }
  const read: unknown[] = []
  let cursor: string | undefined
  do {
    const { results, _links: links } = await client.content.searchContentByCQL({
      ...query,
      ...(cursor !== undefined && { cursor }),
    })
    read.push(...results)
    const next = links?.['next']
    cursor =
      typeof next === 'string'
        ? (new URL(next, 'https://acme.atlassian.net').searchParams.get('cursor') ?? undefined)
        : undefined
  } while (cursor !== undefined)
  expect(read).toMatchObject(
    added.map(({ id, title, space, word }) => ({
      id,
      title,
      space: { key: space },
      body: { storage: { value: expect.stringContaining(word) } },
    })),
  )
  expect(await client.users.getCurrentUser()).toMatchObject({ displayName: 'Reader' })
  await expect(client.content.searchContentByCQL({ cql: 'colour = red' })).rejects.toMatchObject({
    status: 400,
  })
  await expect(clientWith('an-old-one').users.getCurrentUser()).rejects.toMatchObject({ status: 401 })
})
