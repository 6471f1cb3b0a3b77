import { Client, iteratePaginatedAPI } from '@notionhq/client'
import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import {
  NOTION_TOKEN,
  richText,
  startNotion,
  textBlock,
  type StandInBlock,
} from '../../../../test/connectors/notion-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { markdownOf } from './notion-markdown.ts'

const openWorld = shareConnectorWorlds()

test(
  'pages that vanish at once are kept until a person accepts it',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using notion = await startNotion()
    const world = await openWorld(notion.model)
    const random = createRandom(2)
    for (let page = 0; page < 30; page += 1) notion.add(random)
    await world.sync()
    notion.model.hideMost()
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    expect((await world.indexed()).size).toBe(30)
    expect(await world.sync({ accept_deletions: true })).toMatchObject({ counts: { removed: 22 } })
  },
)

test('an edit within the minute in which a page was read is read by the next sync', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const page = notion.add(createRandom(3))
  // Also if the clock of Notion is three minutes ahead of ours.
  for (const aheadMs of [0, 180_000]) {
    page.edited = Math.floor((Date.now() + aheadMs) / 60_000) * 60
    await world.sync()
    page.word = `changedatonce${aheadMs}`
    expect(await world.sync()).toMatchObject({ counts: { changed: 1 } })
    expect(await world.differences()).toEqual([])
  }
})

test(
  'published pages alone have the visibility of the source, unless its owner says otherwise',
  TIMEOUT,
  async () => {
    await using notion = await startNotion()
    const world = await openWorld(notion.model)
    Object.assign(notion.add(createRandom(4)), {
      isPublished: false,
      blocks: [textBlock('paragraph', 'x'.repeat(9))],
    })
    await world.sync()
    const visibility = async () => [...(await world.indexed()).values()].map((row) => row.visibility)
    expect(await visibility()).toEqual(['restricted'])
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
    await world.sync()
    expect(await visibility()).toEqual(['public'])
  },
)

test('a published page does not show copies of blocks that are on no published page', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const original = (id: string, text: string): StandInBlock => ({
    type: 'synced_block',
    id,
    fields: { synced_from: null },
    children: [textBlock('paragraph', text)],
  })
  const copyOf = ({ id, children = [] }: StandInBlock): StandInBlock => ({
    type: 'synced_block',
    fields: { synced_from: { type: 'block_id', block_id: id } },
    children,
  })
  const [open, closed] = [
    original('block-open', 'everyones words'),
    original('block-closed', 'INTERNAL words'),
  ]
  const lost: StandInBlock = { ...original('block-lost', 'LOST words') }
  const random = createRandom(12)
  const put = (isPublished: boolean, blocks: StandInBlock[]) =>
    Object.assign(notion.add(random), { isPublished, blocks }).id
  put(true, [open])
  const secret = put(false, [closed])
  const guide = put(true, [copyOf(open), copyOf(closed), copyOf(lost), textBlock('paragraph', 'The guide.')])
  const notes = put(false, [copyOf(closed)])
  expect(await world.sync()).toMatchObject({ status: 'succeeded' })
  const textOf = async (id: string) => (await world.indexed()).get(id)?.text
  expect(await textOf(guide)).toMatch(/everyones words.*The guide\./s)
  expect(await textOf(guide)).not.toMatch(/INTERNAL|LOST/)
  for (const id of [secret, notes]) expect(await textOf(id)).toContain('INTERNAL words')
  // If its owner publishes all, what is on any page is for everyone.
  await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
  await world.sync()
  expect(await textOf(guide)).toContain('INTERNAL words')
})

test('a wrong secret, and an integration without pages, are told with what to do', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const preview = async (token: string) =>
    await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
      type: 'notion',
      credentials: { token },
    })
  expect(await preview('ntn_wrong')).toMatchObject({
    access: null,
    error: expect.stringMatching(/does not accept the credentials.*API token is invalid.*copy its secret/),
  })
  expect(await preview(NOTION_TOKEN)).toMatchObject({
    access: { account: 'Citewell in Acme', missing: [expect.stringContaining('Connections')] },
  })
  const refused = await world.send('POST', `/knowledge-bases/${world.baseId}/sources`, {
    type: 'notion',
    name: 'no token',
  })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'credentials.token' }] } })
})

test('files in a page are documents of their own, in its visibility, and go with it', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const page = Object.assign(notion.add(createRandom(8)), { isPublished: true })
  const file = notion.attach(page, 'Log & <b>.md')
  const pdf = notion.attach(page, 'PDF of ours.md')
  notion.attach(page, 'picture.png')
  page.blocks = [
    textBlock('paragraph', `Seen: ${page.word}.`),
    {
      type: 'file',
      fields: { type: 'external', external: { url: 'https://example.com/far.md' }, name: 'far.md' },
    },
  ]
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 3, failed: 0 } })
  expect(await world.differences()).toEqual([`${page.id}/attachments/${page.files[2]?.id} is missing`])
  expect((await world.indexed()).get(`${page.id}/attachments/${file.id}`)).toMatchObject({
    title: 'Log & <b>.md',
    url: expect.stringMatching(/^https:\/\/acme\.notion\.site\/[\w-]+#\w+$/),
    visibility: 'public',
  })
  expect((await world.indexed()).get(`${page.id}/attachments/${pdf.id}`)?.title).toBe('PDF of ours.md')

  // An edit of the text does not fetch files again; their addresses are new ones each time.
  notion.media.forget()
  Object.assign(page, { word: 'otherword', edited: notion.tick() })
  page.blocks[0] = textBlock('paragraph', 'Seen: otherword.')
  expect(await world.sync()).toMatchObject({ counts: { changed: 1, unchanged: 2 } })
  expect(notion.media.requests).toEqual([])

  Object.assign(page, { isPublished: false, edited: notion.tick() })
  // The search is answered, the blocks are not.
  notion.server.misbehave(undefined, { status: 400, body: { object: 'error', code: 'validation_error' } })
  expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
  expect([...(await world.indexed()).values()].map((row) => row.visibility)).toEqual([
    'restricted',
    'restricted',
    'restricted',
  ])
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { removed: 0 } })
  // The address of a file has ended: the next sync asks for another one.
  const late = notion.attach(page)
  notion.media.misbehave({ status: 403, body: 'expired' })
  expect(await world.sync()).toMatchObject({ status: 'partial', counts: { failed: 1 } })
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
  expect((await world.indexed()).has(`${page.id}/attachments/${late.id}`)).toBe(true)
  // Notion does not say how large a file is: it is found out while it comes.
  notion.attach(page)
  notion.media.misbehave({ body: 'x'.repeat(33_554_433) })
  expect(await world.sync()).toMatchObject({
    status: 'partial',
    counts: { failed: 1, removed: 0 },
    errors: [{ reason: expect.stringContaining('larger than 32 MiB: divide it into parts') }],
  })
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
  Object.assign(page, { isTrashed: true, edited: notion.tick() })
  expect(await world.sync()).toMatchObject({ counts: { removed: 5 } })
})

test('a page that is restricted is so although its blocks cannot be read', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  const page = Object.assign(notion.add(createRandom(7)), { isPublished: true })
  await world.sync()
  Object.assign(page, { isPublished: false, edited: notion.tick() })
  // The search is answered, the blocks are not.
  notion.server.misbehave(undefined, { status: 400, body: { object: 'error', code: 'validation_error' } })
  expect(await world.sync()).toMatchObject({ status: 'partial', counts: { failed: 1, removed: 0 } })
  expect([...(await world.indexed()).values()]).toMatchObject([{ visibility: 'restricted' }])
})

test('a list that is cut off is not taken for whole', TIMEOUT, async () => {
  await using notion = await startNotion()
  const world = await openWorld(notion.model)
  notion.add(createRandom(8))
  await world.sync()
  const cutOff = { body: { object: 'list', results: [], has_more: true, next_cursor: null } }
  notion.server.misbehave(cutOff, cutOff)
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Notion cut off a list'),
    counts: { removed: 0 },
  })
  expect((await world.indexed()).size).toBe(1)
})

test(
  'a secret that is refused in the middle ends the sync, instead of failing every page',
  TIMEOUT,
  async () => {
    await using notion = await startNotion()
    const world = await openWorld(notion.model)
    const random = createRandom(9)
    for (let page = 0; page < 3; page += 1) notion.add(random)
    notion.server.misbehave(undefined, { status: 401, body: { object: 'error', code: 'unauthorized' } })
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/does not accept the credentials.*copy its secret/),
      counts: { failed: 0 },
    })
  },
)

test("Notion's own client reads the stand-in", TIMEOUT, async () => {
  await using notion = await startNotion()
  const random = createRandom(5)
  for (let page = 0; page < 103; page += 1) notion.add(random)
  const client = new Client({
    auth: NOTION_TOKEN,
    baseUrl: notion.server.origin,
    notionVersion: '2025-09-03',
  })
  const found: string[] = []
  for await (const page of iteratePaginatedAPI(client.search, {
    filter: { property: 'object', value: 'page' },
    sort: { timestamp: 'last_edited_time', direction: 'descending' },
  }))
    found.push(page.id)
  expect(found.toSorted()).toEqual([...notion.pages.keys()].toSorted())
  const [first = ''] = found
  const { results } = await client.blocks.children.list({ block_id: first })
  expect(results.map((block) => ('type' in block ? block.type : ''))).toContain('bulleted_list_item')
  await expect(
    client.pages.retrieve({ page_id: 'ffffffff-0000-4000-8000-000000000000' }),
  ).rejects.toMatchObject({
    code: 'object_not_found',
  })
})

test(
  'a page longer than one list of blocks is read whole, and one block that is refused is left out',
  TIMEOUT,
  async () => {
    await using notion = await startNotion()
    const world = await openWorld(notion.model)
    const page = notion.add(createRandom(6))
    const lines = Array.from({ length: 230 }, (_none, at) =>
      textBlock('paragraph', `Line number ${at} of it.`),
    )
    page.blocks = [...lines, textBlock('paragraph', `The end has ${page.word}.`)]
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { failed: 0 } })
    expect(await world.differences()).toEqual([])
    const [row] = (await world.indexed()).values()
    for (const at of [0, 99, 100, 229]) expect(row?.text).toContain(`Line number ${at} of it.`)

    page.blocks = [
      {
        type: 'synced_block',
        fields: { synced_from: { block_id: 'x' } },
        children: [textBlock('paragraph', 'Hidden.')],
      },
      textBlock('paragraph', `Seen: ${page.word}.`),
    ]
    page.edited = notion.tick()
    notion.server.misbehave(undefined, undefined, {
      status: 404,
      body: { object: 'error', code: 'object_not_found' },
    })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 1, failed: 0 } })
    expect([...(await world.indexed()).values()][0]?.text).toContain(`Seen: ${page.word}.`)
  },
)

const treeOf = (block: StandInBlock): Parameters<typeof markdownOf>[0][number] => ({
  block: { id: 'b', has_children: false, type: block.type, [block.type]: block.fields ?? {} },
  children: (block.children ?? []).map(treeOf),
})
const row = (...cells: string[]): StandInBlock => ({
  type: 'table_row',
  fields: { cells: cells.map((cell) => [richText(cell)]) },
})

test('every kind of block becomes Markdown, and an unknown one its text', () => {
  const text = markdownOf(
    [
      textBlock('heading_1', 'Set | up'),
      {
        type: 'paragraph',
        fields: {
          rich_text: [
            richText('Use '),
            richText(' bold ', { bold: true }),
            richText('a`b', { code: true }),
            richText(' and '),
            richText('the guide', {}, 'https://example.com/a_(b)'),
            richText(' or ', {}, 'javascript:alert(1)'),
            richText('<script>'),
          ],
        },
      },
      textBlock('paragraph', '1. not a list\n- nor this'),
      {
        ...textBlock('numbered_list_item', 'First'),
        children: [textBlock('code', 'npm i\n```x', { language: 'shell' })],
      },
      textBlock('numbered_list_item', 'Second'),
      textBlock('to_do', 'Done', { checked: true }),
      { ...textBlock('toggle', 'More'), children: [textBlock('paragraph', 'Inside')] },
      {
        type: 'table',
        fields: { has_column_header: true },
        children: [row('Plan', 'Limit'), row('Free', '10 | 20')],
      },
      { type: 'column_list', children: [{ type: 'column', children: [textBlock('paragraph', 'Left')] }] },
      textBlock('callout', 'Take care'),
      { type: 'equation', fields: { expression: 'e=mc^2' } },
      { type: 'bookmark', fields: { url: 'https://example.com/', caption: [richText('Site')] } },
      { type: 'hologram', fields: { rich_text: [richText('From the future')] } },
      { type: 'hologram', fields: { rich_text: 'broken' } },
      { type: 'child_page', fields: { title: 'Another' } },
    ].map(treeOf),
  )
  expect(text).toBe(
    String.raw`# Set \| up

Use  **bold** §§a§b§§ and [the guide](https://example.com/a_%28b%29) or \<script\>

1\. not a list  
\- nor this

1. First

    §§§§shell
    npm i
    §§§x
    §§§§
1. Second

- [x] Done

**More**

Inside

| Plan | Limit |
| --- | --- |
| Free | 10 \| 20 |

Left

> Take care

§§§latex
e=mc^2
§§§

<https://example.com/> Site

From the future`
      .replaceAll('§§a§b§§', '`` a`b ``')
      .replaceAll('§', '`'),
  )
})
