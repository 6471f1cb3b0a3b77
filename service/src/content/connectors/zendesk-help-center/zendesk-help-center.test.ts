import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { startZendesk } from '../../../../test/connectors/zendesk-stand-in.ts'

const openWorld = shareConnectorWorlds()

describe('a Zendesk help center', () => {
  test(
    'one article has its path, its text, its table and its code, and is cited at its own address',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk()
      const world = await openWorld(zendesk.model)
      zendesk.model.add(createRandom(1))
      const [article] = zendesk.articles.values()
      if (article === undefined) throw new Error('There is no article.')
      Object.assign(article, { draft: false, section: 11, title: 'Rotate <b>keys</b>' })
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1, failed: 0 } })
      const found = await world.ask<{ data: { id: string; title: string; url: string }[] }>(
        'GET',
        `/knowledge-bases/${world.baseId}/documents`,
      )
      expect(found.data).toMatchObject([
        {
          title: 'Rotate <b>keys</b>',
          url: `https://acme.zendesk.com/hc/en-us/articles/${article.id}-Rotate-b-keys-b-`,
        },
      ])
      const { chunks } = await world.ask<{ chunks: { text: string }[] }>(
        'GET',
        `/documents/${found.data[0]?.id}`,
      )
      const text = chunks.map((chunk) => chunk.text).join('\n')
      expect(text).toContain('Basics › Start › Keys')
      expect(text).toContain('| Free | 10 |')
      expect(text).toContain(`acme --word ${article.word}`)
    },
  )

  test(
    'a help center that needs a sign-in is restricted as a whole, until it does not',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk()
      const world = await openWorld(zendesk.model)
      for (let item = 0; item < 6; item += 1) zendesk.model.add(createRandom(item))
      await world.sync()
      const visibilities = async () =>
        new Set([...(await world.indexed()).values()].map((row) => row.visibility))
      expect(await visibilities()).toContain('public')
      zendesk.close(true)
      // A large source is not listed in each sync: what changed in all of it is known by the place in the export.
      await world.storage.execute(
        `insert into documents select made.* from (select * from documents where source_id = '${world.sourceId}' limit 1) d, generate_series(1, 2001) n,
          jsonb_populate_record(null::documents, to_jsonb(d) || jsonb_build_object('id', gen_random_uuid(), 'external_id', 'other' || n)) made`,
      )
      expect(await world.sync()).toMatchObject({ status: 'succeeded' })
      await world.storage.execute(
        `delete from documents where source_id = '${world.sourceId}' and external_id like 'other%'`,
      )
      expect(await visibilities()).toEqual(new Set(['restricted']))
      expect(
        await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
          type: 'zendesk_help_center',
          config: zendesk.model.config,
          credentials: zendesk.model.credentials,
        }),
      ).toMatchObject({ access: { missing: [expect.stringContaining('without signing in')] } })
      zendesk.close(false)
      await world.sync()
      expect(await world.differences()).toEqual([])
    },
  )

  test(
    'files at an article are documents of their own, seen by those who see it, and go with it',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk()
      const world = await openWorld(zendesk.model)
      zendesk.model.add(createRandom(1))
      const [article] = zendesk.articles.values()
      if (article === undefined) throw new Error('There is no article.')
      Object.assign(article, { draft: false, segment: null })
      const file = zendesk.attach(article, 'Log & <b>.md')
      Object.assign(zendesk.attach(article, 'dump.txt'), { bytes: 50_000_000 })
      zendesk.attach(article, 'picture.png')
      expect(await world.sync()).toMatchObject({
        status: 'succeeded',
        counts: { added: 2, failed: 0 },
        errors: [
          { kind: 'skipped', reason: expect.stringContaining('dump.txt is larger than 32 MiB: divide it') },
        ],
      })
      const id = `${article.id}/attachments/${file.id}`
      const visibility = async () => (await world.indexed()).get(id)?.visibility
      expect((await world.indexed()).get(id)).toMatchObject({
        title: 'Log & <b>.md',
        url: `${zendesk.server.origin}/hc/article_attachments/${file.id}`,
        visibility: 'public',
        text: expect.stringContaining(file.word),
      })

      // Neither the article nor its files are asked for while it is unchanged.
      zendesk.server.forget()
      zendesk.media.forget()
      expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0, removed: 0 } })
      expect(zendesk.server.requests.filter(({ path }) => /attachments|articles\/\d/.test(path))).toEqual([])
      expect(zendesk.media.requests).toEqual([])

      // The restriction of the article counts for its files, although these cannot be asked for.
      Object.assign(article, { segment: 99, updated: zendesk.tick() })
      zendesk.server.misbehave(undefined, undefined, undefined, undefined, {
        status: 400,
        body: { error: 'Bad' },
      })
      expect(await world.sync()).toMatchObject({ status: 'partial' })
      expect([...(await world.indexed()).values()].map((row) => row.visibility)).toEqual([
        'restricted',
        'restricted',
      ])
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { removed: 0 } })
      expect(await visibility()).toBe('restricted')

      // An account that may not see the files reads the articles, and is told.
      const forbidden = { status: 403, body: { error: 'Forbidden' } }
      zendesk.server.misbehave(undefined, undefined, forbidden)
      expect(
        await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
          type: 'zendesk_help_center',
          config: zendesk.model.config,
          credentials: zendesk.model.credentials,
        }),
      ).toMatchObject({
        access: {
          missing: [
            expect.stringContaining('without signing in'),
            expect.stringContaining('not shown to this account'),
          ],
        },
        error: null,
      })

      // A page to sign in at is no file, and what is indexed stays.
      const other = zendesk.attach(article, 'New.md')
      article.updated = zendesk.tick()
      zendesk.media.misbehave({ body: '# Sign in' })
      expect(await world.sync()).toMatchObject({
        status: 'partial',
        errors: expect.arrayContaining([
          expect.objectContaining({
            reason: expect.stringContaining('something else than the file New.md'),
          }),
        ]),
      })
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })

      // Without a change of the article, the next day.
      article.files = [other]
      expect(await world.sync()).toMatchObject({ counts: { removed: 0 } })
      await world.storage.execute(
        `update source_pages set state = jsonb_set(state, '{lookedAt}', '0') where source_id = '${world.sourceId}' and state ? 'lookedAt'`,
      )
      expect(await world.sync()).toMatchObject({ counts: { added: 0, changed: 0, removed: 1 } })

      Object.assign(article, { draft: true, updated: zendesk.tick() })
      expect(await world.sync()).toMatchObject({ counts: { removed: 2 } })
      expect(await world.indexed()).toEqual(new Map())
    },
  )

  test(
    'many articles that vanish at once are kept until a person accepts it',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      await using zendesk = await startZendesk()
      const world = await openWorld(zendesk.model)
      const random = createRandom(5)
      for (let item = 0; item < 40; item += 1) zendesk.model.add(random)
      await world.sync()
      const before = (await world.indexed()).size
      const show = zendesk.model.hideMost()
      expect(await world.sync()).toMatchObject({
        status: 'partial',
        error: expect.stringMatching(/^The source no longer shows \d+ of \d+ documents\..*accept_deletions/),
        counts: { removed: 0 },
      })
      expect((await world.indexed()).size).toBe(before)
      const accepted = await world.sync({ accept_deletions: true })
      expect(accepted).toMatchObject({ status: 'succeeded', error: null })
      expect(accepted.counts['removed']).toBe(before - (await world.indexed()).size)
      expect((await world.indexed()).size).toBeLessThan(before / 2)
      show()
      await world.sync()
      expect(await world.differences()).toEqual([])
    },
  )

  test(
    'a restriction holds although the new text cannot be indexed, and a person may still decide otherwise',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk()
      const world = await openWorld(zendesk.model)
      zendesk.model.add(createRandom(1))
      const [article] = zendesk.articles.values()
      if (article === undefined) throw new Error('There is no article.')
      Object.assign(article, { draft: false, segment: null })
      await world.sync()
      await world.storage.execute(
        `create function refuse_unlucky() returns trigger language plpgsql as $$ begin
        if new.text like '%unlucky%' then raise exception 'too long' using errcode = '54000'; end if;
        return new; end $$`,
      )
      await world.storage.execute(
        'create trigger refuse_unlucky before insert on chunks for each row execute function refuse_unlucky()',
      )
      Object.assign(article, { word: 'unlucky', segment: 99, updated: zendesk.tick() })
      expect(await world.sync()).toMatchObject({ status: 'partial', counts: { failed: 1 } })
      const visibility = async () => [...(await world.indexed()).values()].map((row) => row.visibility)
      expect(await visibility()).toEqual(['restricted'])
      expect(world.announced.map(({ name }) => name)).toContain('document.visibility-changed')
      // The owner of the source cannot loosen it for all at once.
      await world.ask('PATCH', `/sources/${world.sourceId}`, { visibility: 'restricted' })
      await world.ask('PATCH', `/sources/${world.sourceId}`, { visibility: 'public' })
      expect(await visibility()).toEqual(['restricted'])
      // It is read first the next time, although the help center reports no change.
      await world.storage.execute('drop trigger refuse_unlucky on chunks')
      zendesk.server.forget()
      expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 1 } })
      expect(zendesk.server.requests[0]?.path).toContain(`/articles/${article.id}`)
      expect(await visibility()).toEqual(['restricted'])
      Object.assign(article, { segment: null, updated: zendesk.tick() })
      await world.sync()
      expect(await visibility()).toEqual(['public'])
      // One document that a person made public stays as they said.
      const { data } = await world.ask<{ data: { id: string }[] }>(
        'GET',
        `/knowledge-bases/${world.baseId}/documents`,
      )
      await world.ask('PATCH', `/documents/${data[0]?.id}`, { visibility: 'public' })
      Object.assign(article, { segment: 99, updated: zendesk.tick() })
      await world.sync()
      expect(await visibility()).toEqual(['public'])
    },
  )

  test('a server that is busy, broken or slow is asked again as it says', TIMEOUT, async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    for (let item = 0; item < 5; item += 1) zendesk.model.add(createRandom(item))
    const busy = (retryAfter: string, date: Date) => ({
      status: 429,
      headers: { 'retry-after': retryAfter, date: date.toUTCString() },
      body: { error: 'APIRateLimitExceeded' },
    })
    // A clock ten minutes off: the date counts against the server's own.
    const theirs = new Date(Date.now() + 600_000)
    const broken = { status: 500, body: 'oops' }
    zendesk.server.misbehave(busy('1', theirs), undefined, busy(theirs.toUTCString(), theirs), broken, broken)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
    expect(await world.differences()).toEqual([])
  })

  test(
    'a server that asks for an hour ends the sync with what was read, and with the cursor behind it',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk({ exportSize: 10 })
      Object.assign(zendesk.model.config, { attachments: false })
      const world = await openWorld(zendesk.model)
      const random = createRandom(8)
      for (let item = 0; item < 30; item += 1) zendesk.model.add(random)
      const restricted = { status: 429, headers: { 'retry-after': '3600' }, body: { error: 'busy' } }
      zendesk.server.misbehave(undefined, undefined, undefined, undefined, restricted)
      const paused = await world.sync()
      expect(paused).toMatchObject({
        status: 'partial',
        error: expect.stringContaining('asks to wait 6'),
      })
      expect((await world.indexed()).size).toBeGreaterThan(5)
      const { rows } = await world.storage.execute(
        `select cursor from source_progress where source_id = '${world.sourceId}'`,
      )
      expect(rows).toEqual([{ cursor: { start_time: expect.any(Number), open: true } }])
    },
  )

  test('a refused token says what to do, keeps what is indexed, and is in no answer', TIMEOUT, async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    for (let item = 0; item < 5; item += 1) zendesk.model.add(createRandom(item))
    await world.sync()
    const before = await world.indexed()
    const changed = await world.ask('PATCH', `/sources/${world.sourceId}`, {
      credentials: { email: 'agent@acme.example', token: 'an-old-token-CANARY' },
    })
    const failed = await world.sync()
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/does not accept the credentials.*new API token in the Admin Center/),
    })
    expect(await world.indexed()).toEqual(before)
    expect(JSON.stringify([changed, failed])).not.toContain('CANARY')
    const preview = await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
      type: 'zendesk_help_center',
      config: { url: zendesk.server.origin },
      credentials: zendesk.model.credentials,
    })
    expect(preview).toMatchObject({
      access: { account: 'Ada (agent)', missing: [], sees: [expect.stringContaining('articles')] },
      error: null,
    })
    const refused = await world.send('POST', `/knowledge-bases/${world.baseId}/sources`, {
      type: 'zendesk_help_center',
      name: 'wrong',
      config: { url: zendesk.server.origin },
      credentials: { user: 'ada', token: 'x' },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ path: 'credentials.user', message: 'is not used for this type of source' }] },
    })
  })

  test('a list that is cut off is not taken for whole', TIMEOUT, async () => {
    await using zendesk = await startZendesk({ isAnonymous: true })
    const world = await openWorld(zendesk.model)
    zendesk.model.add(createRandom(1))
    for (const article of zendesk.articles.values()) Object.assign(article, { draft: false })
    await world.sync()
    const cutOff = { body: { articles: [], meta: { has_more: true }, links: { next: null } } }
    zendesk.server.misbehave(cutOff, cutOff)
    expect(await world.sync()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Zendesk cut off a list'),
      counts: { removed: 0 },
    })
    expect((await world.indexed()).size).toBe(1)
  })

  test('a token of someone who may not ask for changes reads the list', TIMEOUT, async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    zendesk.model.add(createRandom(1))
    zendesk.server.misbehave(undefined, { status: 403, body: { error: 'Forbidden' } })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
    expect(await world.differences()).toEqual([])
  })

  test('a token is not sent over http to another machine', TIMEOUT, async () => {
    await using zendesk = await startZendesk()
    const world = await openWorld(zendesk.model)
    const refused = await world.send('POST', `/knowledge-bases/${world.baseId}/sources`, {
      type: 'zendesk_help_center',
      name: 'plain',
      config: { url: 'http://acme.zendesk.com' },
      credentials: zendesk.model.credentials,
    })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        details: [
          { path: 'config.url', message: 'must be an https address, since credentials are sent to it' },
        ],
      },
    })
  })
})
