/** Stand-ins, read by clients that are not ours: what a connector and its stand-in have wrong in the same way is found here. */
import { Gitlab } from '@gitbeaker/rest'
import { Client, PageIterator, type PageCollection } from '@microsoft/microsoft-graph-client'
import { WebClient } from '@slack/web-api'
import DiscourseClient from 'discourse2'
import { createClient } from 'node-zendesk'
import { expect, test } from 'vitest'
import { DISCOURSE_KEY, startDiscourse } from './discourse-stand-in.ts'
import { GITLAB_TOKEN, startGitlab } from './gitlab-stand-in.ts'
import { APP_SECRET, startGraph } from './graph-stand-in.ts'
import { createRandom } from './random.ts'
import { SLACK_BOT_TOKEN, startSlackChannels } from './slack-channels-stand-in.ts'
import { startZendesk, ZENDESK_TOKEN } from './zendesk-stand-in.ts'

/** What is compared of a topic. */
interface Titled {
  id: number
  title: string
}

test('GitLab: issues over several pages, notes, the wiki, members and the user', async () => {
  await using gitlab = await startGitlab({ pageSize: 4 })
  const random = createRandom(1)
  const added = Array.from({ length: 10 }, () => gitlab.addIssue(random))
  const [first] = added
  if (first === undefined) throw new Error('No issue')
  for (let note = 0; note < 9; note += 1) gitlab.addNote(first, `Note ${note}`)
  while (![...gitlab.model.documents().keys()].some((id) => id.startsWith('wikis/'))) gitlab.model.add(random)
  const clientWith = (oauthToken: string) => new Gitlab({ host: gitlab.server.origin, oauthToken })
  const client = clientWith(GITLAB_TOKEN)
  const projectId = 'acme/docs/product'
  const issues = await client.Issues.all({ projectId, orderBy: 'created_at', sort: 'asc', perPage: 4 })
  expect(issues.map(({ iid, title, confidential }) => [iid, title, confidential])).toEqual(
    [...gitlab.issues.values()].map(({ iid, title, isConfidential }) => [iid, title, isConfidential]),
  )
  const notes = await client.IssueNotes.all(projectId, first.iid, { sort: 'asc', perPage: 4 })
  expect(notes.map(({ body }) => body)).toEqual(first.notes.map(({ text }) => text))
  const pages = await client.ProjectWikis.all(projectId, { withContent: true })
  const indexed = [...gitlab.model.documents()]
  expect(pages.map(({ slug }) => `wikis/${slug}`)).toEqual(
    indexed.map(([id]) => id).filter((id) => id.startsWith('wikis/')),
  )
  expect(await client.ProjectMembers.all(projectId, { includeInherited: true })).toMatchObject([
    { username: 'grace', access_level: 40 },
    { username: 'ada', access_level: 10 },
  ])
  expect(await client.Users.showCurrentUser()).toMatchObject({ username: 'reader' })
  await expect(clientWith('an-old-one').Users.showCurrentUser()).rejects.toMatchObject({
    cause: { response: { status: 401 } },
  })
  await expect(client.Projects.show('acme/elsewhere')).rejects.toMatchObject({
    cause: { response: { status: 404 } },
  })
})

test('Slack: channels, a history in several parts, a thread, and errors with status 200', async () => {
  await using slack = await startSlackChannels()
  const random = createRandom(2)
  for (let thread = 0; thread < 30; thread += 1) slack.add(random)
  const clientWith = (token: string) =>
    new WebClient(token, { slackApiUrl: `${slack.server.origin}/api/`, retryConfig: { retries: 0 } })
  const client = clientWith(SLACK_BOT_TOKEN)
  expect(await client.auth.test()).toMatchObject({ ok: true, team: 'Acme', team_id: 'T1' })
  const { channels } = await client.conversations.list({ types: 'public_channel,private_channel' })
  expect(channels?.map(({ name }) => name)).toEqual(slack.channels.map(({ name }) => name))
  const [thread] = slack.threads.values()
  if (thread === undefined) throw new Error('No thread')
  const { channel } = thread
  const read: (string | undefined)[] = []
  for await (const part of client.paginate('conversations.history', { channel, limit: 4 })) {
    const { messages = [] } = part as { messages?: { ts?: string; subtype?: string }[] }
    read.push(...messages.filter(({ subtype }) => subtype === undefined).map(({ ts }) => ts))
  }
  const own = [...slack.threads.values()].filter((one) => one.channel === channel)
  expect(read).toEqual(own.map(({ root }) => root.ts).toSorted((one, other) => (one < other ? 1 : -1)))
  const { messages } = await client.conversations.replies({ channel, ts: thread.root.ts })
  expect(messages?.map(({ text }) => text)).toEqual([thread.root.text, thread.replies[0]?.text])
  await expect(client.conversations.history({ channel: 'C0000000003' })).rejects.toMatchObject({
    data: { error: 'not_in_channel' },
  })
  slack.scopes.delete('channels:history')
  await expect(client.conversations.history({ channel })).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'channels:history' },
  })
  await expect(clientWith('xoxb-old').auth.test()).rejects.toMatchObject({ data: { error: 'invalid_auth' } })
})

test('Microsoft Graph: a site, its libraries, a delta in several parts, and a file', async () => {
  await using graph = await startGraph({ pageSize: 3 })
  const random = createRandom(3)
  const added = Array.from({ length: 8 }, () => graph.add(random))
  const { access_token: token } = (await (
    await fetch(`${graph.logins.origin}/acme.example/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'app-1',
        client_secret: APP_SECRET,
        grant_type: 'client_credentials',
        scope: 'https://graph.microsoft.com/.default',
      }),
    })
  ).json()) as { access_token: string }
  // It takes addresses for whole ones only if they begin with https: what it sends to Graph goes to the stand-in.
  const graphOrigin = 'https://graph.microsoft.com'
  graph.state.linkOrigin = graphOrigin
  const clientWith = (bearer: string) =>
    Client.initWithMiddleware({
      middleware: {
        execute: async (context) => {
          const { body, method } = context.options ?? {}
          context.response = await fetch(String(context.request).replace(graphOrigin, graph.server.origin), {
            headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
            ...(method !== undefined && { method }),
            ...(typeof body === 'string' && { body }),
          })
        },
      },
    })
  const client = clientWith(token)
  const site = (await client.api('/sites/acme.sharepoint.com:/sites/Docs').get()) as { id: string }
  const { value: drives } = (await client.api(`/sites/${site.id}/drives`).get()) as {
    value: { id: string }[]
  }
  const [drive] = drives
  if (drive === undefined) throw new Error('No drive')
  const delta = `/drives/${drive.id}/root/delta`
  const found = new Map<string, string>()
  const take = (item: { id: string; name: string }) => {
    found.set(item.id, item.name)
    return true
  }
  const changes = new PageIterator(client, (await client.api(delta).get()) as PageCollection, take)
  await changes.iterate()
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries([...graph.items.values()].map(({ id, name }) => [id, name])),
  )
  const link = changes.getDeltaLink()
  expect(link).toMatch(/token=\d+/)
  const [file] = added
  if (file === undefined) throw new Error('No file')
  file.isDeleted = true
  graph.log.push(file.id)
  const later = (await client.api(link ?? '').get()) as { value: object[] }
  expect(later.value).toContainEqual(expect.objectContaining({ id: file.id, deleted: { state: 'deleted' } }))
  const batch = { requests: [{ id: '1', method: 'GET', url: `/drives/${drive.id}/items/inner/permissions` }] }
  expect(await client.api('/$batch').post(batch)).toMatchObject({ responses: [{ id: '1', status: 200 }] })
  await expect(client.api(`/drives/${drive.id}/items/nothing`).get()).rejects.toMatchObject({
    statusCode: 404,
    code: 'itemNotFound',
  })
  await expect(clientWith('old').api(delta).get()).rejects.toMatchObject({
    statusCode: 401,
    code: 'InvalidAuthenticationToken',
  })
})

test('Zendesk: articles over several pages, sections, what changed, and one article', async () => {
  await using zendesk = await startZendesk({ exportSize: 4 })
  const random = createRandom(4)
  for (let article = 0; article < 11; article += 1) zendesk.model.add(random)
  const endpointUri = `${zendesk.server.origin}/api/v2/help_center`
  // Its types do not know the query.
  const settings = { username: 'agent@acme.example', endpointUri, query: { page: { size: 4 } } }
  const clientWith = (token: string) => createClient({ ...settings, token })
  const { helpcenter } = clientWith(ZENDESK_TOKEN)
  const all = [...zendesk.articles.values()]
  const articles = (await helpcenter.articles.list()) as { id: number; title: string; draft: boolean }[]
  expect(articles.map(({ id, title, draft }) => [id, title, draft])).toEqual(
    all.map(({ id, title, draft }) => [id, title, draft]),
  )
  const sections = (await helpcenter.sections.list()) as { name: string }[]
  expect(sections.map(({ name }) => name)).toEqual([...zendesk.sections.values()].map(({ name }) => name))
  const [first] = all
  expect(await helpcenter.articles.show(first?.id)).toMatchObject({
    result: { id: first?.id, title: first?.title },
  })
  await expect(helpcenter.articles.show(1)).rejects.toThrow('Zendesk Error (404)')
  await expect(clientWith('an-old-one').helpcenter.articles.list()).rejects.toThrow('Zendesk Error (401)')
})

test('Discourse: the site, a list of topics, and a topic with its first posts', async () => {
  await using discourse = await startDiscourse({ pageSize: 4 })
  const random = createRandom(5)
  const topic = Object.assign(discourse.addTopic(random), { isListed: true })
  const posts = Array.from({ length: 24 }, (_, at) => discourse.addPost(topic, `<p>Post ${at}</p>`))
  const clientWith = (key: string) =>
    new DiscourseClient(discourse.server.origin, { 'Api-Key': key, 'Api-Username': 'reader' })
  const client = clientWith(DISCOURSE_KEY)
  const site = await client.getSite()
  expect(site.categories.map(({ name }: { name: string }) => name)).toEqual(['Help', 'Keys & tokens', 'Team'])
  const { topic_list: list } = await client.listLatestTopics({ order: 'created' })
  expect(list?.topics?.map(({ id, title }: Titled) => [id, title])).toEqual([[topic.id, topic.title]])
  const id = String(topic.id)
  const one = await client.getTopic({ id })
  expect(one.post_stream.posts).toHaveLength(20)
  expect(one.post_stream.posts.slice(1).map(({ cooked }: { cooked: string }) => cooked)).toEqual(
    posts.slice(0, 19).map(({ cooked }) => cooked),
  )
  expect(one.post_stream.stream?.slice(1)).toEqual(posts.map((post) => post.id))
  await expect(client.getTopic({ id: '1' })).rejects.toMatchObject({ status: 404 })
  await expect(clientWith('an-old-one').getSite()).rejects.toMatchObject({ status: 403 })
})
