import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { GITLAB_TOKEN, startGitlab } from '../../../../test/connectors/gitlab-stand-in.ts'
import { createRandom } from '../../../../test/connectors/random.ts'

const openWorld = shareConnectorWorlds()

describe('a GitLab project', () => {
  test('an issue has its notes by role, and no internal ones', TIMEOUT, async () => {
    await using gitlab = await startGitlab()
    const world = await openWorld(gitlab.model)
    const random = createRandom(2)
    const issue = Object.assign(gitlab.addIssue(random), { isConfidential: false, isClosed: true })
    issue.word = 'acme rotate'
    issue.description = 'How?\n\n| Plan | Limit |\n| --- | --- |\n| Free | 10 |\n\n```sh\nacme rotate'
    gitlab.addNote(issue, '@ada, like this.')
    gitlab.addNote(issue, 'Thanks @grace', { username: 'ada' })
    gitlab.addNote(issue, 'Internal secret.', { isInternal: true })
    gitlab.addNote(issue, 'added ~bug label', { isSystem: true })
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: 'Retry later' }
    gitlab.server.misbehave(busy, { status: 502, body: '<html>' })
    expect(await world.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { added: 1 } })
    const row = (await world.indexed()).get(`issues/${issue.iid}`)
    const text = (row?.text ?? '') + (await world.headings())
    expect(row?.visibility).toBe('public')
    expect(text).toContain('acme/docs/product › Issues')
    expect(text).toContain('| Free | 10 |')
    expect(text).toContain('@Author, like this.')
    expect(text).toContain('Thanks @Maintainer')
    expect(text).toContain('Maintainer, 2026-03-04')
    expect(text).not.toMatch(/Internal secret|added ~bug|grace|ada\b/)

    for (let item = 0; item < 25; item += 1) gitlab.addIssue(random)
    await world.sync()
    const show = gitlab.model.hideMost()
    expect(await world.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    show()
    const preview = async (token?: string) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 'gitlab',
        config: gitlab.model.config,
        ...(token !== undefined && { credentials: { token } }),
      })
    expect(await preview(GITLAB_TOKEN)).toMatchObject({
      access: { account: 'reader', sees: ['acme/docs/product: issues (public), wiki (public)'], missing: [] },
    })
    expect(await preview('CANARY')).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not accept the credentials.*Token was revoked.*Make a new token/),
    })
    expect(await preview()).toMatchObject({ access: { account: 'not signed in' }, error: null })
    gitlab.instance.scopes.clear()
    expect(await preview(GITLAB_TOKEN)).toMatchObject({
      error: expect.stringMatching(/requires higher privileges.*scope read_api/),
    })
    gitlab.instance.scopes.add('read_api')
    // A public project of a GitLab that shows nothing to strangers.
    gitlab.instance.isOpen = false
    await world.sync()
    expect(await world.differences()).toEqual([])
    expect((await world.indexed()).get(`issues/${issue.iid}`)?.visibility).toBe('restricted')
    gitlab.instance.isOpen = true
    gitlab.project.visibility = 'private'
    expect(await preview()).toMatchObject({ error: expect.stringContaining('404 Project Not Found') })
  })
})
