import { createCloudClient } from 'jira.js'
import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { adf, adfParagraph, comment, startJira } from '../../../../test/connectors/jira-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

const openWorld = shareConnectorWorlds()

describe('a Jira', () => {
  test('files at an issue are documents of their own, and restricted whatever it is', TIMEOUT, async () => {
    await using jira = await startJira()
    const world = await openWorld(jira.model)
    const issue = Object.assign(jira.add(createRandom(1)), { isSecret: false })
    const file = jira.attach(issue, 'Log & <b>.md')
    const sheet = jira.attach(issue, 'Prices.csv')
    Object.assign(jira.attach(issue, 'dump.txt'), { bytes: 50_000_000 })
    expect(await world.sync()).toMatchObject({
      status: 'succeeded',
      counts: { added: 3, failed: 0 },
      errors: [
        { kind: 'skipped', reason: expect.stringContaining('dump.txt is larger than 32 MiB: divide it') },
      ],
    })
    expect((await world.indexed()).get(`${issue.id}/attachments/${file.id}`)).toMatchObject({
      title: 'Log & <b>.md',
      url: expect.stringMatching(/\/secure\/attachment\/\d+\/Log%20%26%20%3Cb%3E\.md$/),
      visibility: 'restricted',
      text: expect.stringContaining(file.word),
    })
    expect((await world.indexed()).get(`${issue.id}/attachments/${sheet.id}`)).toMatchObject({
      title: 'Prices.csv',
      text: expect.stringContaining(sheet.word),
    })
    expect((await world.indexed()).get(issue.id)?.visibility).toBe('public')
    // A server that sends to a host of another scheme, or nowhere, is not followed; what is indexed stays.
    issue.files.push({ id: '99999', name: 'New.md', word: 'newword' })
    issue.updated = Date.now()
    const gone = { status: 303, headers: { location: 'file:///etc/passwd' }, body: '' }
    jira.server.misbehave(undefined, undefined, undefined, gone)
    const done = await world.sync()
    expect([done.status, (await world.indexed()).size]).toEqual(['partial', 3])
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1 } })
  })

  test('an issue with too many files, a broken name and refused files is read', TIMEOUT, async () => {
    await using jira = await startJira()
    const world = await openWorld(jira.model)
    const issue = jira.add(createRandom(7))
    const odd = jira.attach(issue, 'Odd \uD83D.md')
    const refused = jira.attach(issue)
    refused.refusedWith = 401
    for (let file = 0; file < 1_998; file += 1) jira.attach(issue, 'image.png')
    jira.attach(issue, 'Beyond.md')
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      error: null,
      counts: { added: 2, failed: 1 },
      errors: [{ reason: expect.stringContaining('is not given to the account') }],
    })
    expect((await world.indexed()).get(`${issue.id}/attachments/${odd.id}`)).toMatchObject({
      title: expect.stringMatching(/^Odd .\.md$/u),
      url: expect.stringMatching(/\/secure\/attachment\/\d+\/Odd%20%EF%BF%BD\.md$/),
    })
    // An issue that cannot be sent says nothing of its files.
    delete refused.refusedWith
    const failed = { body: { issues: [], issueErrors: [{ id: issue.id, errorMessage: 'Try again' }] } }
    jira.server.misbehave(undefined, failed)
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { failed: 1, removed: 0 } })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 1, changed: 0 } })
  })

  test('issues are restricted unless the owner publishes all', TIMEOUT, async () => {
    await using jira = await startJira()
    Object.assign(jira.model.config, { publish_all: false })
    const world = await openWorld(jira.model)
    const random = createRandom(1)
    Object.assign(jira.add(random), { isSecret: false })
    Object.assign(jira.add(random), { isSecret: true })
    const visibility = async () => {
      await world.sync()
      return [...(await world.indexed()).values()].map((row) => row.visibility).toSorted()
    }
    expect(await visibility()).toEqual(['restricted', 'restricted'])
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { publish_all: true } })
    expect(await visibility()).toEqual(['public', 'restricted'])
  })

  test(
    'an issue has its fields and all comments that everyone may see, with roles for names',
    TIMEOUT,
    async () => {
      await using jira = await startJira()
      const world = await openWorld(jira.model)
      const issue = jira.add(createRandom(2))
      issue.comments = [
        comment('I am stuck.', { author: { accountId: 'the-reporter', displayName: 'Grace Hopper' } }),
        comment('STAFF-ONLY', { visibility: { type: 'role', value: 'Administrators' } }),
        comment('INTERNAL-NOTE', { jsdPublic: false }),
        ...Array.from({ length: 130 }, (_none, at) => comment(`Remark ${at}.`)),
      ]
      await world.sync()
      const row = (await world.indexed()).get(issue.id)
      expect(row).toMatchObject({
        url: `${jira.server.origin}/browse/${issue.project}-${issue.number}`,
        text: expect.stringMatching(/Status: Open.*Components: Billing.*Reporter, 2026-11-20.*I am stuck/s),
      })
      for (const at of [0, 20, 129]) expect(row?.text).toContain(`Remark ${at}.`)
      expect(row?.text).not.toMatch(/STAFF-ONLY|INTERNAL-NOTE|Hopper|Lovelace/)
    },
  )

  test(
    'busy and broken answers, a list that is cut off, and a project that is not there',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      await using jira = await startJira()
      const world = await openWorld(jira.model)
      const random = createRandom(3)
      for (let item = 0; item < 30; item += 1) jira.add(random)
      const soon = new Date(Date.now() + 1_000).toUTCString()
      const busy = {
        status: 429,
        headers: { 'retry-after': soon },
        body: { errorMessages: ['Rate limited'] },
      }
      const broken = { status: 503, body: 'unavailable' }
      jira.server.misbehave(busy, undefined, broken, broken)
      expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null })
      expect(await world.differences()).toEqual([])

      jira.server.misbehave(undefined, { body: { issues: [], isLast: false } })
      expect(await world.sync()).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('Jira cut off a list'),
      })
      jira.model.hideMost()
      expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
      expect(await world.differences()).toEqual([])
      await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { projects: ['NONE'] } })
      expect(await world.sync()).toMatchObject({
        status: 'failed',
        error: expect.stringContaining("The value 'NONE' does not exist for the field 'project'"),
      })
    },
  )

  test('an issue that could not be sent is kept, and read first the next time', TIMEOUT, async () => {
    await using jira = await startJira()
    const world = await openWorld(jira.model)
    const issue = jira.add(createRandom(4))
    await world.sync()
    Object.assign(issue, { word: 'changedword', updated: Date.now() })
    const failed = { body: { issues: [], issueErrors: [{ id: issue.id, errorMessage: 'Try again' }] } }
    jira.server.misbehave(undefined, undefined, failed)
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { failed: 1, removed: 0 },
      errors: [{ reason: expect.stringContaining('Try again') }],
    })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 1 } })
    expect(await world.differences()).toEqual([])

    // A retry reads everything if it is not known any more what failed, as after a change of the settings.
    Object.assign(issue, { word: 'changedagain', updated: Date.now() })
    jira.server.misbehave(undefined, undefined, failed)
    const partial = await world.sync()
    expect(partial).toMatchObject({ status: 'partial', counts: { failed: 1 } })
    await world.storage.execute(`delete from source_progress where source_id = '${world.sourceId}'`)
    expect(await world.retry(partial)).toMatchObject({ status: 'succeeded', counts: { changed: 1 } })
    expect(await world.differences()).toEqual([])
  })

  test('long comments are read until there are enough of them', TIMEOUT, async () => {
    await using jira = await startJira()
    const world = await openWorld(jira.model)
    const issue = jira.add(createRandom(6))
    issue.comments = Array.from({ length: 1_000 }, () => comment('Yes.'))
    // A server that sends few of them at once.
    const long = comment('Long.', { body: { ...adf(adfParagraph('Long.')), padding: 'x'.repeat(5_000_000) } })
    const part = { body: { comments: [long], total: 1_000 } }
    jira.server.misbehave(undefined, undefined, undefined, part, part)
    expect(await world.sync()).toMatchObject({ counts: { added: 1, failed: 0 } })
    const asked = jira.server.requests.filter(({ path }) => path.endsWith('/comment'))
    expect(asked.map(({ query }) => query.get('startAt'))).toEqual(['0', '1'])
  })

  test('the check says who reads, and what to do about a wrong token', TIMEOUT, async () => {
    await using jira = await startJira()
    const world = await openWorld(jira.model)
    const preview = async (token: string) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'jira',
        config: jira.model.config,
        credentials: { ...jira.model.credentials, token },
      })
    expect(await preview('an-old-one')).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not accept the credentials.*new API token/),
    })
    expect(await preview(jira.model.credentials?.['token'] ?? '')).toMatchObject({
      access: { account: 'Reader', sees: ['0 issues'], missing: [expect.stringContaining('Access')] },
    })
  })
})

test('a client of Jira that is not ours reads the stand-in, and its schemas hold for each answer', async () => {
  await using jira = await startJira()
  const random = createRandom(8)
  const added = Array.from({ length: 50 }, () => jira.add(random))
  for (const issue of added.slice(0, 10)) jira.attach(issue)
  const [first] = added
  if (first === undefined) throw new Error('No issue')
  first.comments = Array.from({ length: 130 }, (_, at) => comment(`Comment ${at}`))
  const clientWith = (apiToken: string) =>
    createCloudClient({
      host: jira.server.origin,
      auth: { type: 'basic', email: String(jira.model.credentials?.['email']), apiToken },
      onSchemaMismatch: 'throw',
    })
  const client = clientWith(String(jira.model.credentials?.['token']))
  const fields = [
    'summary',
    'description',
    'comment',
    'project',
    'status',
    'security',
    'updated',
    'attachment',
  ]
  const jql = 'project in ("HELP", "OPS") order by created asc'
  const read: { id: string; summary: unknown; files: unknown }[] = []
  let nextPageToken: string | null | undefined
  do {
    const page = await client.issueSearch.searchAndReconsileIssuesUsingJqlPost({
      jql,
      fields,
      maxResults: 20,
      ...(typeof nextPageToken === 'string' && { nextPageToken }),
    })
    for (const { id, fields: given } of page.issues ?? [])
      read.push({ id: String(id), summary: given?.['summary'], files: given?.['attachment'] })
    nextPageToken = page.nextPageToken
  } while (typeof nextPageToken === 'string')
  expect(read).toMatchObject(
    added.map(({ id, summary, files }) => ({
      id,
      summary,
      files: files.map((file) => ({ id: file.id, filename: file.name })),
    })),
  )
  const many = await client.issues.bulkFetchIssues({ issueIdsOrKeys: [first.id], fields })
  expect(many.issues).toHaveLength(1)
  const end = await client.issueComments.getComments({
    issueIdOrKey: first.id,
    startAt: 100,
    maxResults: 100,
  })
  expect(end).toMatchObject({ total: 130, comments: { length: 30 } })
  expect(await client.myself.getCurrentUser()).toMatchObject({ displayName: 'Reader' })
  await expect(
    client.issueSearch.searchAndReconsileIssuesUsingJqlPost({ jql: 'order by created asc' }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(clientWith('an-old-one').myself.getCurrentUser()).rejects.toMatchObject({ status: 401 })
})
