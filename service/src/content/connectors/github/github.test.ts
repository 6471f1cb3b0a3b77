import { schema } from '@octokit/graphql-schema'
import { Octokit } from '@octokit/rest'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { GITHUB_TOKEN, startGithub } from '../../../../test/connectors/github-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { secondaryLimit } from './github-client.ts'

const openWorld = shareConnectorWorlds()

describe('a repository at GitHub', () => {
  test(
    'its queries are ones that GitHub’s schema knows, and GitHub’s own client reads the same',
    { ...TIMEOUT, tags: ['long'] },
    async () => {
      await using github = await startGithub({ pageSize: 5 })
      const world = await openWorld(github.model)
      const random = createRandom(15)
      for (let item = 0; item < 14; item += 1) github.model.add(random)
      await world.sync()
      // The queries are ones that GitHub's published schema knows.
      expect(github.queries.size).toBe(2)
      const published = buildSchema(schema.idl, { assumeValidSDL: true })
      for (const query of github.queries) expect(validate(published, parse(query))).toEqual([])
      // GitHub's own client reads the same list of the stand-in.
      const octokit = new Octokit({ auth: GITHUB_TOKEN, baseUrl: github.server.origin })
      const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
        owner: 'acme',
        repo: 'product',
        state: 'all',
        sort: 'created',
        direction: 'asc',
      })
      expect(issues.map(({ number }) => number)).toEqual([...github.issues.keys()])
    },
  )

  test('a document whose address cannot be stored fails alone, and the sync ends', TIMEOUT, async () => {
    await using github = await startGithub()
    const world = await openWorld(github.model)
    Object.assign(github.addIssue(createRandom(3)), { isPull: false })
    for (let item = 0; github.releases.size === 0; item += 1) github.model.add(createRandom(item))
    for (const release of github.releases.values()) Object.assign(release, { tag: 'v\0', isDraft: false })
    const { status, counts, errors } = await world.sync()
    expect({ status, isAdded: (counts['added'] ?? 0) > 0 }).toEqual({ status: 'partial', isAdded: true })
    expect(errors).toMatchObject([
      {
        url: 'https://github.com/acme/product/releases/tag/v',
        reason: expect.stringMatching(/cannot be stored/),
      },
    ])
  })

  test('threads say who said what by role, limits are obeyed, and faults are told', TIMEOUT, async () => {
    await using github = await startGithub()
    const world = await openWorld(github.model)
    const random = createRandom(1)
    const issue = github.addIssue(random)
    const at = `/repos/acme/product/issues/${issue.number}`
    Object.assign(issue, { isPull: false, isClosed: true, title: 'Keys <b>rotate</b>' })
    issue.body =
      '<!-- template -->\nHow?\n\n| Plan | Limit |\n| --- | --- |\n| Free | 10 |\n\n```sh\nacme rotate --all'
    const answer = github.addComment(issue, '# Like this\n\n@ada, use `acme` of @acme/cli. cc @grace @linus')
    github.addComment(issue, 'This issue is stale.', { isBot: true, login: 'stale[bot]' })
    const passing = github.addComment(issue, 'This will be deleted.', { login: 'linus', association: 'NONE' })

    const refused = { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }
    github.server.misbehave(
      { ...refused, headers: { 'retry-after': '1' } },
      { status: 500, body: 'oops' },
      { status: 502, body: '<html>' },
    )
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { added: 1 } })
    const textOf = async () => (await world.indexed()).get(`issues/${issue.number}`)?.text ?? ''
    const text = await textOf()
    expect(text).toContain('acme/product › Issues')
    expect(text).toContain(String.raw`Issue #${issue.number}, closed as not planned. Labels: area: \*keys\*.`)
    expect(text).toContain('| Free | 10 |')
    // The code that the question leaves open ends with it.
    expect(text).toMatch(
      /acme rotate --all[^@]*@Author, use `acme` of @acme\/cli\. cc @Maintainer @Participant/,
    )
    const said = await world.headings()
    expect(said).toContain('issuecomment-')
    expect(said).toContain('Maintainer, 2026-03-04')
    expect(said).toContain('Like this')
    expect(text + said).not.toMatch(/ada|grace|linus|stale|template/)

    // Deleting and editing comments does not change the time of an issue.
    issue.comments = issue.comments.filter((comment) => comment !== passing)
    expect(await world.sync()).toMatchObject({ counts: { changed: 1 } })
    expect(await textOf()).not.toContain('will be deleted')
    answer.text = 'Rather do that.'
    answer.updated = github.tick()
    expect(await world.sync()).toMatchObject({ counts: { changed: 1 } })
    expect(await textOf()).toContain('Rather do that.')
    github.server.forget()
    expect(await world.sync()).toMatchObject({ counts: { changed: 0, unchanged: 1 } })
    expect(github.server.requests.map(({ path }) => path)).not.toContain(at)

    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { show_names: true } })
    await world.sync()
    expect((await textOf()) + (await world.headings())).toContain('Maintainer grace, 2026-03-04')

    // A private repository is restricted, at the end of one reading, without its threads being read again.
    const visibility = async () => [...(await world.indexed()).values()].map((row) => row.visibility)
    expect(await visibility()).toEqual(['public'])
    github.repository.private = true
    github.server.forget()
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 0 } })
    expect(await visibility()).toEqual(['restricted'])
    expect(github.server.requests.map(({ path }) => path)).not.toContain(
      '/repos/acme/product/issues/1/comments',
    )

    // Much that vanishes at once is kept.
    for (let item = 0; item < 30; item += 1) Object.assign(github.addIssue(random), { isPull: false })
    await world.sync()
    const show = github.model.hideMost()
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    show()

    const preview = async (body: object) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'github',
        config: github.model.config,
        ...body,
      })
    expect(await preview({ credentials: { token: GITHUB_TOKEN } })).toMatchObject({
      access: {
        account: 'reader',
        sees: [
          'acme/product, which is not public: what is read is restricted: issues, discussions, releases',
        ],
        missing: [],
      },
    })
    expect(await preview({ credentials: { token: 'github_pat_CANARY' } })).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not accept the credentials.*Bad credentials.*fine-grained token/),
    })
    // To a stranger a private repository does not exist.
    expect(await preview({})).toMatchObject({ error: expect.stringContaining('has nothing at') })
    github.repository.private = false
    expect(await preview({})).toMatchObject({
      access: { account: 'not signed in', missing: [expect.stringContaining('shows no discussions')] },
      error: null,
    })
    // What a server of one's own calls public need not be: strangers are asked for.
    const own = {
      config: { url: 'https://git.acme.example/acme/product' },
      credentials: { token: GITHUB_TOKEN },
    }
    expect(await preview(own)).toMatchObject({
      access: { sees: [expect.stringContaining('which is public')] },
    })
    github.repository.isForStrangers = false
    expect(await preview(own)).toMatchObject({
      access: { sees: [expect.stringContaining('what is read is restricted')] },
    })
    for (const url of ['https://github.com/acme', 'https://github.com/acme/%zz']) {
      const source = { type: 'github', name: 'wrong', config: { url } }
      expect(await world.send('POST', `/knowledge-bases/${world.baseId}/sources`, source)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'config.url' }] },
      })
    }
  })

  test('a limit that is told in words only asks for a minute', () => {
    expect(secondaryLimit(403, 'You have exceeded a secondary rate limit. Please wait.')).toBe(60)
    expect(secondaryLimit(403, 'Resource not accessible by personal access token')).toBeUndefined()
  })
})
