import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { SLACK_BOT_TOKEN, startSlackChannels } from '../../../../test/connectors/slack-channels-stand-in.ts'
import { slackMarkdown, titleOf } from './slack-markdown.ts'

const openWorld = shareConnectorWorlds()

test(
  'a private channel and one shared with others are never public; others only if their owner says so',
  TIMEOUT,
  async () => {
    await using slack = await startSlackChannels()
    const [support, incidents] = slack.channels
    for (let made = 0; made < 8; made += 1) slack.add(createRandom(made))
    const world = await openWorld({ ...slack.model, config: { channels: ['support', 'incidents'] } })
    const publicOnes = async () => {
      expect(await world.sync()).toMatchObject({ status: 'succeeded' })
      return [...(await world.indexed()).values()]
        .filter(({ visibility }) => visibility === 'public')
        .map(({ external_id: id }) => id.split('/')[0])
    }
    expect(await publicOnes()).toEqual([])
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
    expect(new Set(await publicOnes())).toEqual(new Set([support?.id]))
    if (support !== undefined) support.is_ext_shared = true
    expect(await publicOnes()).toEqual([])
    expect(incidents?.is_private).toBe(true)
  },
)

test(
  'each message has a role and no name, unless names are shown; what nobody answered is left out',
  TIMEOUT,
  async () => {
    await using slack = await startSlackChannels()
    const random = createRandom(3)
    const thread = slack.add(random)
    thread.root.user = 'U1'
    thread.root.text =
      'How do I *rotate* `a key`? See <https://docs.example.com/x?a=1&amp;b=2|the docs> &lt;img src=x&gt;'
    thread.replies = [
      {
        ...slack.say(
          random,
          'Ask <@U1> in <#C0000000003|random>\n```\ncurl <https://api.example.com> &amp;&amp; ls\n```',
        ),
        user: 'U2',
      },
      { ...slack.say(random, '<!channel> thanks <@U7>'), user: 'U1' },
    ]
    slack.add(random).replies = []
    const world = await openWorld(slack.model)
    await world.sync()
    const [row] = [...(await world.indexed()).values()]
    expect(row?.title).toBe('How do I rotate a key? See the docs <img src=x>')
    expect(row?.url).toMatch(/^https:\/\/acme\.slack\.com\/archives\/C000000000\d\/p\d+$/)
    expect(row?.text).toContain('curl https://api.example.com && ls')
    expect(row?.text).toContain('@Author')
    expect(row?.text).toContain('@someone')
    expect(row?.text).not.toMatch(/\bU[127]\b|(?<!\\)<img/)
    expect(await world.headings()).toMatch(/Author, 20\d\d.*Participant, 20\d\d/)
    expect((await world.indexed()).size).toBe(1)
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { show_names: true } })
    await world.sync()
    expect(await world.headings()).toMatch(/Author Ada U1, 20/)
    expect([...(await world.indexed()).values()][0]?.text).toContain('@Ada U7')
  },
)

test(
  'lists of 15, as apps outside of the marketplace get them, are read to their end',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    await using slack = await startSlackChannels({ isDistributed: true })
    const random = createRandom(4)
    for (let made = 0; made < 18; made += 1) slack.add(random)
    const [first] = slack.threads.values()
    for (let reply = 0; reply < 20; reply += 1)
      first?.replies.push(slack.say(random, `The word is long${reply}.`))
    const world = await openWorld(slack.model)
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 18 } })
    expect(await world.differences()).toEqual([])
  },
)

test(
  'what is missing is said: the app in the channel, a scope, the channel itself, a token',
  TIMEOUT,
  async () => {
    await using slack = await startSlackChannels()
    const world = await openWorld(slack.model)
    const preview = async (config: object, token = SLACK_BOT_TOKEN) =>
      await world.ask<{ error: string | null; access: { missing: string[] } | null }>(
        'POST',
        `/knowledge-bases/${world.baseId}/sources/preview`,
        { type: 'slack_channels', config: { channels: ['support'], ...config }, credentials: { token } },
      )
    expect((await preview({ channels: ['random'] })).error).toMatch(
      /not in the channel: open it and send \/invite/,
    )
    expect((await preview({ channels: ['nowhere'] })).error).toMatch(/no channel nowhere/)
    expect((await preview({ channels: ['C0000000009'] })).error).toMatch(/no channel C0000000009/)
    expect((await preview({}, 'xoxb-wrong')).error).toMatch(
      /does not accept the credentials.*invalid_auth.*Install it again/,
    )
    expect(await preview({})).toMatchObject({
      error: null,
      access: { account: 'citewell in Acme', missing: [expect.stringContaining('publish_all')] },
    })
    slack.scopes.delete('groups:read')
    expect((await preview({ channels: ['incidents'] })).error).toMatch(/no channel incidents/)
    slack.scopes.delete('channels:history')
    expect((await preview({})).error).toMatch(/lacks a scope \(channels:history\)/)
  },
)

const NAMES = { person: (id: string) => (id === 'U1' ? 'Author' : 'someone') }

test.each([
  ['*bold* _it_ ~gone~', '**bold** *it* ~~gone~~'],
  ['2 * 3 * 4 and snake_case_name', String.raw`2 \* 3 \* 4 and snake\_case\_name`],
  ['&lt;script&gt;', String.raw`\<script\>`],
  [
    '<https://a.example|*x*](https://evil.example)>',
    String.raw`[\*x\*\](https://evil.example)](<https://a.example>)`,
  ],
  ['<javascript:alert(1)|click>', 'click'],
  ['&gt; quoted\n• one\n• two', '> quoted  \n- one  \n- two'],
  ['`a &lt; b` <@U1>', '`a < b` @Author'],
  ['<!subteam^S1|@team> <!here> <!date^1^{date}|yesterday>', '@team @here yesterday'],
])('%s becomes %s', (given, expected) => {
  expect(slackMarkdown(given, NAMES)).toBe(expected)
})

test('a block of code stays as it is, without the links that Slack makes in it', () => {
  expect(slackMarkdown('see ```curl <http://x.example|x.example> &amp; *y*```', NAMES)).toBe(
    'see \n\n```\ncurl http://x.example & *y*\n```',
  )
  expect(titleOf('\n```x```\nrest', NAMES)).toBe('x')
})
