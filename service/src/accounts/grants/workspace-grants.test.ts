import type { KnowledgeBaseGrant } from '@citewell/contract/knowledge-base-grants'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

/** A workspace with an owner, two members, and two bases on which both members have a grant. */
async function openGranted() {
  const owner = await api.joinWorkspace()
  const { workspaceId } = owner
  const members = [
    await api.joinWorkspace({ role: 'member', workspaceId }),
    await api.joinWorkspace({ role: 'member', workspaceId }),
  ]
  const granted: string[] = []
  for (const name of ['One', 'Two']) {
    const base = await api.send('POST', '/knowledge-bases', { name }, owner.token)
    for (const { userId } of members) {
      const path = `/knowledge-bases/${String(base.body['id'])}/grants/${userId}`
      expect((await api.send('PUT', path, { permissions: ['chat'] }, owner.token)).status).toBe(200)
      granted.push(`${String(base.body['id'])} ${userId}`)
    }
  }
  return { owner, members, path: `/workspaces/${workspaceId}/grants`, granted: granted.toSorted() }
}

const namesOf = (body: Record<string, unknown>) =>
  (body['data'] as KnowledgeBaseGrant[]).map((grant) => `${grant.knowledge_base_id} ${grant.user_id}`)

verifies(
  'permissions.grants-of-workspace',
  'owners and admins list the grants on all bases of their workspace, in pages, and on none of another',
  async () => {
    const [one] = [await openGranted(), await openGranted()]
    const whole = await api.send('GET', one.path, undefined, one.owner.token)
    expect(namesOf(whole.body)).toEqual(one.granted)
    expect(whole.body['data']).toMatchObject(one.granted.map(() => ({ permissions: ['chat'] })))

    const first = await api.send('GET', `${one.path}?limit=3`, undefined, one.owner.token)
    const cursor = String(first.body['next_cursor'])
    const second = await api.send('GET', `${one.path}?limit=3&cursor=${cursor}`, undefined, one.owner.token)
    expect([...namesOf(first.body), ...namesOf(second.body)]).toEqual(one.granted)
    expect(second.body['next_cursor']).toBeNull()
  },
)

verifies(
  'permissions.grants-of-workspace',
  'members do not see them, and to another workspace there are none',
  async () => {
    const [one, other] = [await openGranted(), await openGranted()]
    const statusFor = async (token: string | undefined) =>
      (await api.send('GET', one.path, undefined, token)).status
    expect(await statusFor(one.members[0]?.token)).toBe(403)
    expect(await statusFor(other.owner.token)).toBe(404)
  },
)
