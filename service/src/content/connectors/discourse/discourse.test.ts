import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { DISCOURSE_KEY, startDiscourse } from '../../../../test/connectors/discourse-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

const openWorld = shareConnectorWorlds()

describe('a Discourse forum', () => {
  test('a topic has all its posts, by role, and nothing that strangers do not see', TIMEOUT, async () => {
    await using forum = await startDiscourse()
    const world = await openWorld(forum.model)
    const random = createRandom(2)
    const topic = Object.assign(forum.addTopic(random), {
      isListed: true,
      category: 2,
      title: 'Rotate <b>keys</b>',
    })
    forum.addPost(
      topic,
      '<p><a class="mention" href="/u/ada">@ada</a>, ask <a class="mention" href="/u/linus">@linus</a>.</p><table><tr><th>Plan</th><th>Limit</th></tr><tr><td>Free</td><td>10</td></tr></table><pre><code class="lang-sh">acme rotate</code></pre>',
      { isAccepted: true },
    )
    forum.addPost(
      topic,
      '<aside class="quote" data-username="grace"><div class="title"><div class="quote-controls"></div><img class="avatar" src="/user_avatar/grace/48.png"> grace:</div><blockquote><p>acme rotate</p></blockquote></aside><p>Thanks, ada.</p>',
      { username: 'ada' },
    )
    forum.addPost(topic, '<p>Whispered secret.</p>', { type: 4 })
    forum.addPost(topic, '<p>Flagged spam.</p>', { isHidden: true })
    for (let reply = 0; reply < 70; reply += 1) forum.addPost(topic, `<p>Reply ${reply}.</p>`)
    const busy = {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { errors: ['You’ve performed this action too many times.'], error_type: 'rate_limit' },
    }
    forum.server.misbehave(busy, undefined, { status: 502, body: '<html>' })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { added: 1 } })
    const row = (await world.indexed()).get(String(topic.id))
    const text = row?.text ?? ''
    expect(row?.visibility).toBe('public')
    expect(text).toContain('Help › Keys & tokens')
    expect(text).toContain('Tags: api.')
    const headings = await world.headings()
    expect(text + headings).toContain('Staff, 2026-03-04, accepted answer')
    expect(text).toContain('@Author, ask @someone.')
    expect(text).toContain('| Free | 10 |')
    expect(text).toContain('acme rotate')
    expect(text).toContain('Reply 69.')
    expect(text + headings).not.toMatch(/Whispered|Flagged|linus|\/u\/|grace/)

    // Read again although nothing says that it changed: in the second month, once a month. Here: nothing is read twice.
    forum.server.forget()
    expect(await world.sync()).toMatchObject({ counts: { unchanged: 1, changed: 0 } })
    expect(forum.server.requests.filter(({ path }) => path.startsWith('/t/'))).toEqual([])

    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { show_names: true } })
    await world.sync()
    expect((await world.indexed()).get(String(topic.id))?.text).toContain('@linus')

    for (let item = 0; item < 25; item += 1) Object.assign(forum.addTopic(random), { isListed: true })
    await world.sync()
    const show = forum.model.hideMost()
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    show()
    forum.settings.loginRequired = true
    await world.sync()
    expect(await world.differences()).toEqual([])

    const preview = async (body: object) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'discourse',
        config: forum.model.config,
        ...body,
      })
    expect(await preview({ credentials: { token: DISCOURSE_KEY } })).toMatchObject({
      access: { account: 'reader', sees: ['3 categories, 0 of which everyone may read'], missing: [] },
    })
    expect(await preview({ credentials: { token: 'CANARY' } })).toMatchObject({
      access: null,
      error: expect.stringMatching(/not permitted to view.*Make a new key/),
    })
    expect(await preview({})).toMatchObject({ error: expect.stringMatching(/need to be logged in/) })
    forum.settings.loginRequired = false
    expect(await preview({})).toMatchObject({
      access: { account: 'not signed in', sees: ['2 categories, 2 of which everyone may read'] },
      error: null,
    })
  })
})
