import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnectorWorld, runRandomChanges } from '../../../../test/connectors/connector-world.ts'
import { startConfluence } from '../../../../test/connectors/confluence-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { openTestManagement } from '../../../../test/test-management.ts'
import { isRestricted } from './confluence.ts'
import { Content } from './confluence-schemas.ts'
import { storageToHtml } from './storage-format.ts'

const TIMEOUT = { timeout: 240_000 }

let api: Awaited<ReturnType<typeof openTestManagement>>
beforeAll(async () => {
  api = await openTestManagement()
}, TIMEOUT.timeout)
afterAll(async () => await api.close())

describe('a Confluence', () => {
  verifies(
    'connectors.wiki-and-help-desk-sources',
    'after ten runs of random changes, some interrupted, the index is what Confluence has',
    async () => {
      await using confluence = await startConfluence()
      await using world = await openConnectorWorld(confluence.model, { api })
      const run = {
        seed: 23,
        items: 60,
        runs: 10,
        changesPerRun: 8,
        // Changes and list, each with strangers asked; the changed pages, and those below a page whose title changed.
        maxRequests: (items: number, changes: number) => 2 * (4 + 4 * Math.ceil(items / 50) + 4 * changes),
      }
      expect(await runRandomChanges(world, confluence.model, run)).toBe(10)
    },
    TIMEOUT,
  )

  test('a server of one’s own, with a token and a folder, and one without signing in', TIMEOUT, async () => {
    for (const given of [{ isCloud: false }, { isCloud: false, isAnonymous: true }]) {
      await using confluence = await startConfluence(given)
      await using world = await openConnectorWorld(confluence.model, { api })
      const run = { seed: 5, items: 12, runs: 3, changesPerRun: 8, maxRequests: () => 80 }
      expect(await runRandomChanges(world, confluence.model, run)).toBe(3)
    }
  })

  test('only pages that strangers read are public, unless the owner publishes all', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    await using world = await openConnectorWorld(confluence.model, { api })
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
    await using world = await openConnectorWorld(confluence.model, { api })
    const random = createRandom(2)
    const page = confluence.add(random)
    for (let item = 0; item < 8; item += 1) confluence.add(random)
    await world.sync()
    expect((await world.indexed()).get(page.id)).toMatchObject({
      url: `https://acme.atlassian.net/wiki/spaces/${page.space}/pages/${page.id}`,
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

  test('busy, broken and expired answers', TIMEOUT, async () => {
    await using confluence = await startConfluence()
    await using world = await openConnectorWorld(confluence.model, { api })
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
    confluence.server.misbehave({ status: 400, body: deep })
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Confluence answered 400'),
    })
    const noNext = { body: { results: [], _links: { next: 'https://elsewhere.example/' } } }
    confluence.server.misbehave(noNext)
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
    await using world = await openConnectorWorld(confluence.model, { api })
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
    await using world = await openConnectorWorld(confluence.model, { api })
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

test('links within links take no longer than their text, and half a character ends nothing', () => {
  expect(html('<ac:link><ri:page ri:content-title="a\ud800"/></ac:link>')).toContain(
    '/display/DOCS/a%EF%BF%BD"',
  )
  expect(html(`${'<ac:link>'.repeat(60)}deep`)).toBe('deep')
})

const html = (storage: string) => storageToHtml(storage, { site: 'https://acme.example/wiki', space: 'DOCS' })

test.each([
  [
    '<p>A&nbsp;b &rarr; <strong>c</strong><br/>d<span/>e</p>',
    '<p>A\u00a0b → <strong>c</strong><br>d<span></span>e</p>',
  ],
  [
    '<ac:structured-macro ac:name="code"><ac:parameter ac:name="title">Run</ac:parameter><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[if [ 1 <2 ]]]]><![CDATA[> && x]]></ac:plain-text-body></ac:structured-macro>',
    '<p><strong>Run</strong></p><pre>\n<code class="language-bash">if [ 1 &lt;2 ]]&gt; &amp;&amp; x</code></pre>',
  ],
  [
    '<ac:structured-macro ac:name="warning"><ac:parameter ac:name="title">Stop</ac:parameter><ac:rich-text-body><p>Not yet.</p></ac:rich-text-body></ac:structured-macro>',
    '<blockquote><p><strong>Stop</strong></p><p>Not yet.</p></blockquote>',
  ],
  [
    '<ac:structured-macro ac:name="hologram"><ac:parameter ac:name="beam">7</ac:parameter><ac:rich-text-body><p>Kept.</p></ac:rich-text-body></ac:structured-macro>',
    '<p>Kept.</p>',
  ],
  ['<constructor>Kept.</constructor>', '<constructor>Kept.</constructor>'],
  [
    '<ac:structured-macro ac:name="mermaid"><ac:plain-text-body><![CDATA[a --> b]]></ac:plain-text-body></ac:structured-macro>',
    '<pre>a --&gt; b</pre>',
  ],
  [
    '<ac:structured-macro ac:name="children"/><ac:structured-macro ac:name="status"><ac:parameter ac:name="title">DONE</ac:parameter></ac:structured-macro>',
    'DONE',
  ],
  [
    '<p>See <ac:link><ri:page ri:content-title="Set up" ri:space-key="HELP"/></ac:link>, <ac:link><ri:page ri:content-title="Keys"/><ac:plain-text-link-body><![CDATA[here]]></ac:plain-text-link-body></ac:link>, <ac:link><ri:user ri:account-id="1"/></ac:link> <a href="javascript:alert(1)">x</a></p>',
    '<p>See <a href="https://acme.example/wiki/display/HELP/Set+up">Set up</a>, <a href="https://acme.example/wiki/display/DOCS/Keys">here</a>, @someone x</p>',
  ],
  [
    '<ac:task-list><ac:task><ac:task-id>9</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Pack</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Ship</ac:task-body></ac:task></ac:task-list>',
    '<ul><li>☑ Pack</li><li>☐ Ship</li></ul>',
  ],
  [
    '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>Once.</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>Once.</p></ac:adf-fallback></ac:adf-extension>',
    '<blockquote><p>Once.</p></blockquote>',
  ],
  [
    '<p>Due <time datetime="2026-11-22"/></p><script>x</script><ac:image><ri:attachment ri:filename="a.png"/></ac:image>',
    '<p>Due 2026-11-22</p>',
  ],
  [
    '<table class="wide"><tbody><tr><td colspan="2" style="color:red"><p>Wide</p></td></tr></tbody></table>',
    '<table><tbody><tr><td colspan="2"><p>Wide</p></td></tr></tbody></table>',
  ],
])('storage format %#', (storage, expected) => {
  expect(html(storage)).toBe(expected)
})

test('bodies that are nested too deep, or end in the middle, do no harm', () => {
  expect(() => html('<div>'.repeat(600))).toThrow('nested more than 512')
  expect(html('<p>a<![CDATA[b')).toBe('<p>ab</p>')
  expect(html('<ac:link><![CDATA['.repeat(5_000))).toContain('ac:link')
})
