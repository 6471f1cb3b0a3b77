import { longUnless } from '@citewell/spec/long-unless'
import { describe, expect, test } from 'vitest'
import { startConfluence } from '../../../test/connectors/confluence-stand-in.ts'
import { shareConnectorWorlds, TIMEOUT, type SourceModel } from '../../../test/connectors/connector-world.ts'
import { startDiscourse } from '../../../test/connectors/discourse-stand-in.ts'
import { startFreshdesk } from '../../../test/connectors/freshdesk-stand-in.ts'
import { startGithub } from '../../../test/connectors/github-stand-in.ts'
import { startGitlab } from '../../../test/connectors/gitlab-stand-in.ts'
import { startGoogleDrive } from '../../../test/connectors/google-drive-stand-in.ts'
import { startGraph } from '../../../test/connectors/graph-stand-in.ts'
import { startHelpScout } from '../../../test/connectors/help-scout-stand-in.ts'
import { startIntercom } from '../../../test/connectors/intercom-stand-in.ts'
import { startJira } from '../../../test/connectors/jira-stand-in.ts'
import { startNotion } from '../../../test/connectors/notion-stand-in.ts'
import { createRandom } from '../../../test/connectors/random.ts'
import { startSlackChannels } from '../../../test/connectors/slack-channels-stand-in.ts'
import type { StandInAnswer } from '../../../test/connectors/stand-in-server.ts'
import { startZendesk } from '../../../test/connectors/zendesk-stand-in.ts'

/** What all connectors of products have in common, on one service. */
const openWorld = shareConnectorWorlds()

type Start = () => Promise<AsyncDisposable & { model: SourceModel }>

const DESKS: Record<string, Start> = {
  Intercom: async () => await startIntercom({ pageSize: 15 }),
  Freshdesk: async () => await startFreshdesk({ pageSize: 15 }),
  'Help Scout': async () => await startHelpScout({ pageSize: 15 }),
}

test('an article has its place, its table, its list and its code, and its own address', TIMEOUT, async () => {
  const addresses = [
    /^https:\/\/help\.acme\.example\/en\/articles\//,
    /\/support\/solutions\/articles\//,
    /-an-article$/,
  ]
  for (const [at, start] of Object.values(DESKS).entries()) {
    await using desk = await start()
    const { model } = desk
    const world = await openWorld(model)
    for (let item = 0; item < 6; item += 1) model.add(createRandom(item))
    await world.sync()
    const rows = [...(await world.indexed()).values()]
    expect(rows.length).toBeGreaterThan(2)
    for (const { text, url, visibility } of rows) {
      // Intercom does not tell a place of what is unlisted.
      const place = visibility === 'public' ? /Start|Keys/ : /The word of this article/
      expect(text).toMatch(place)
      expect(text).toContain('| Free | 10 |')
      expect(text).toMatch(/- First\n\s+- Inner/)
      expect(text).toMatch(/acme --word \w+ <file>/)
      expect(url).toMatch(addresses[at] ?? /^$/)
    }
  }
})

test('what a help desk does not tell of is restricted until its owner says otherwise', TIMEOUT, async () => {
  await using intercom = await startIntercom()
  await using helpScout = await startHelpScout()
  for (const { model } of [intercom, helpScout]) {
    Object.assign(model.config, { publish_all: false })
    for (let item = 0; item < 8; item += 1) model.add(createRandom(item))
  }
  helpScout.site.isRestricted = undefined
  for (const { model } of [intercom, helpScout]) {
    const world = await openWorld(model)
    const visibilities = async () => {
      expect(await world.sync()).toMatchObject({ status: 'succeeded' })
      return new Set([...(await world.indexed()).values()].map(({ visibility }) => visibility))
    }
    const preview = async (config: object) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: model.type,
        config,
        credentials: model.credentials,
      })
    expect(await preview(model.config)).toMatchObject({
      access: { missing: [expect.stringContaining('set publish_all')] },
    })
    expect(await visibilities()).toEqual(new Set(['restricted']))
    const config = { ...model.config, publish_all: true }
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config })
    expect(await visibilities()).toEqual(new Set(['public', 'restricted']))
    expect(await world.differences()).toEqual([])
    expect(await preview(config)).toMatchObject({ access: { missing: [] }, error: null })
  }
  // That a site needs a sign-in is told: nobody can say otherwise here.
  helpScout.site.isRestricted = true
  const world = await openWorld({
    ...helpScout.model,
    config: { ...helpScout.model.config, publish_all: true },
  })
  await world.sync()
  const rows = [...(await world.indexed()).values()]
  expect(rows.length).toBeGreaterThan(2)
  expect(new Set(rows.map(({ visibility }) => visibility))).toEqual(new Set(['restricted']))
})

test(
  'another language of a help center is a source of its own, of what is published in it',
  TIMEOUT,
  async () => {
    await using intercom = await startIntercom()
    for (let item = 0; item < 5; item += 1) intercom.model.add(createRandom(item))
    for (const [locale, count] of [
      ['de', [...intercom.articles.values()].filter(({ isPublished }) => isPublished).length],
      ['fr', 0],
    ] as const) {
      const world = await openWorld({ ...intercom.model, config: { ...intercom.model.config, locale } })
      await world.sync()
      const titles = [...(await world.indexed()).values()].map(({ title }) => title)
      expect(titles).toHaveLength(count)
      expect(titles.every((title) => title.startsWith('Auf Deutsch: '))).toBe(true)
    }
  },
)

test('a right that is missing is named, with the place where it is given', TIMEOUT, async () => {
  await using intercom = await startIntercom()
  await using freshdesk = await startFreshdesk()
  intercom.scopes.clear()
  freshdesk.agent.maySee = false
  for (const [{ model }, says] of [
    [intercom, /scope needed.*Read and list articles/],
    [freshdesk, /not authorized to perform this action.*permission to view solutions/],
  ] as const) {
    const world = await openWorld(model)
    expect(await world.sync()).toMatchObject({ status: 'failed', error: expect.stringMatching(says) })
  }
})

test(
  'a title whose address is too long for readers ends no reading, and is cited without it',
  TIMEOUT,
  async () => {
    await using confluence = await startConfluence()
    await using notion = await startNotion()
    await using zendesk = await startZendesk()
    const random = createRandom(5)
    for (const { model } of [confluence, notion, zendesk])
      for (let item = 0; item < 3; item += 1) model.add(random)
    const title = '\u3042'.repeat(250)
    for (const page of [...confluence.pages.values(), ...notion.pages.values()])
      Object.assign(page, { title })
    for (const article of zendesk.articles.values()) Object.assign(article, { title, draft: false })
    for (const [{ model }, url] of [
      [confluence, /^https:\/\/acme\.atlassian\.net\/wiki\/pages\/viewpage\.action\?pageId=\d+$/],
      [notion, /^https:\/\/(?:www\.notion\.so|acme\.notion\.site)\/[0-9a-f]{32}$/],
      [zendesk, /^https:\/\/acme\.zendesk\.com\/hc\/en-us\/articles\/\d+$/],
    ] as const) {
      const world = await openWorld(model)
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 3 } })
      for (const row of (await world.indexed()).values())
        expect(row).toMatchObject({ title, url: expect.stringMatching(url) })
    }
  },
)

test('a typing error in what was chosen is named, and empties no source', TIMEOUT, async () => {
  await using helpScout = await startHelpScout()
  await using intercom = await startIntercom()
  await using zendesk = await startZendesk()
  for (const [{ model }, right, wrong, says] of [
    [helpScout, { site: 'acme' }, { site: 'acne' }, /no site "acne".*Enter its name/],
    [intercom, { locale: 'de' }, { locale: 'dee' }, /no article in the language "dee".*addresses/],
    [zendesk, { locale: 'en-us' }, { locale: 'de' }, /no article in the language "de".*addresses/],
  ] as const) {
    for (let item = 0; item < 6; item += 1) model.add(createRandom(item))
    const world = await openWorld({ ...model, config: { ...model.config, ...right } })
    await world.sync()
    const before = await world.indexed()
    expect(before.size).toBeGreaterThan(2)
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: wrong })
    expect(await world.sync()).toMatchObject({ status: 'failed', error: expect.stringMatching(says) })
    expect(await world.indexed()).toEqual(before)
  }
})

test(
  'a token that has ended at a site that strangers may visit is told as such, and removes nothing',
  TIMEOUT,
  async () => {
    await using confluence = await startConfluence()
    await using server = await startConfluence({ isCloud: false })
    await using jira = await startJira()
    for (const { model, expire } of [confluence, server, jira]) {
      const world = await openWorld(model)
      for (let item = 0; item < 8; item += 1) model.add(createRandom(item))
      await world.sync()
      const before = await world.indexed()
      expire()
      expect(await world.sync()).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/does not accept the credentials of this source.*make a new API token/),
      })
      expect(await world.indexed()).toEqual(before)
    }
  },
)

const PRODUCTS: Record<string, Start> = {
  ...DESKS,
  Confluence: startConfluence,
  Discourse: startDiscourse,
  GitHub: startGithub,
  GitLab: startGitlab,
  'Google Drive': startGoogleDrive,
  Jira: startJira,
  Notion: startNotion,
  SharePoint: startGraph,
  'Slack channels': startSlackChannels,
  Zendesk: startZendesk,
}

interface Ending {
  answer: StandInAnswer
  says: RegExp
}

/** Answers that end a sync: what is indexed stays, and the owner reads why. Each product says what to do about these itself. */
const OWN_ENDINGS: Record<string, Ending> = {
  'a token that is no longer valid': {
    answer: { status: 401, body: { message: 'No.', error: 'No.' } },
    says: /does not accept the credentials of this source \(No\)\. \S.*/,
  },
  'a right that was taken away': {
    answer: { status: 403, body: { message: 'No.' } },
    says: /does not let this account read \S+ \(No\)\. \S.*/,
  },
  'an empty object': { answer: { body: {} }, says: /sent something else than expected|cut off a list/ },
}

/** What the client of all products finds: `npm run test:connectors` has each of these at each product. */
const SHARED_ENDINGS: Record<string, Ending> = {
  'a page of a login instead of an answer': {
    answer: { body: '<!doctype html><title>Sign in</title>', headers: { 'content-type': 'text/html' } },
    says: /sent something else than expected at/,
  },
  'an answer that was cut off': {
    answer: { body: '{"results": [' },
    says: /sent something else than expected/,
  },
  'a move to another address': {
    answer: { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' },
    says: /has moved: \S+ redirects/,
  },
  'an error that is nested too deep': {
    answer: { status: 400, body: `{"message":${'['.repeat(40_000)}${']'.repeat(40_000)}}` },
    says: /answered 400/,
  },
}

const HAS_ALL = process.env['CONNECTOR_ENDINGS'] === 'all'

/** Those of a product: of what all have in common one, in turn. */
function endingsOf(product: number): [string, Ending][] {
  const shared = Object.entries(SHARED_ENDINGS)
  return [
    ...Object.entries(OWN_ENDINGS),
    ...shared.filter((_ending, at) => HAS_ALL || at === product % shared.length),
  ]
}

const TRIED = Object.entries(PRODUCTS).map(([name, start], at) => ({ name, start, endings: endingsOf(at) }))
const QUICK = ['Confluence', 'GitHub', 'Zendesk']

describe.each(TRIED)('$name', ({ name, start, endings }) => {
  const options = longUnless(QUICK.includes(name), TIMEOUT)
  test('what it answers wrongly removes nothing, and is said in words', options, async () => {
    await using product = await start()
    const { model } = product
    const world = await openWorld(model)
    const random = createRandom(9)
    for (let item = 0; item < 30; item += 1) model.add(random)
    // Twice too many at once, told in both ways, by a clock ten minutes ahead.
    const theirs = new Date(Date.now() + 600_000).toUTCString()
    const busy = (wait: string) => ({ status: 429, headers: { 'retry-after': wait, date: theirs }, body: {} })
    model.server.misbehave(busy('0'), undefined, busy(theirs))
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
    expect(await world.differences()).toEqual([])

    const before = await world.indexed()
    expect(before.size).toBeGreaterThan(20)
    for (const [what, { answer, says }] of endings) {
      // The same to every request of the sync: products differ in what they ask first.
      model.server.misbehave(...Array.from({ length: 40 }, () => answer))
      const ended = await world.sync()
      model.server.behave()
      const found = await world.indexed()
      expect({ what, ended, found }).toMatchObject({
        what,
        ended: { counts: { removed: 0 }, error: expect.stringMatching(says) },
        found: before,
      })
    }

    const show = model.hideMost()
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      error: expect.stringContaining('no longer shows'),
      counts: { removed: 0 },
    })
    expect((await world.indexed()).size).toBe(before.size)
    show()
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { removed: 0 } })
    expect(await world.differences()).toEqual([])
    // Nothing unchanged was indexed again by any of this.
    const versions = (rows: typeof before) =>
      [...rows].map(([id, row]) => `${id}: ${row.latest_version}`).toSorted()
    expect(versions(await world.indexed())).toEqual(versions(before))

    // The last, as the pace of an account is kept.
    model.server.misbehave({ status: 429, headers: { 'retry-after': '3600' }, body: {} })
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      error: expect.stringContaining('asks to wait'),
      counts: { removed: 0 },
    })
  })
})
