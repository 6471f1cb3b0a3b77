import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { inWorkingOrder, type TeamEndpoint } from '../../test/authorization-order.ts'
import { bodyOf, pathWith } from '../../test/authorization-requests.ts'
import { createAuthorizationWorld } from '../../test/authorization-world.ts'
import { startTestService } from '../../test/start-service.ts'

const TEAM = ALL_ENDPOINTS.filter((endpoint): endpoint is TeamEndpoint => endpoint.caller === 'access-token')

/** Words that stand in restricted text, and nowhere else. */
const CANARIES = ['CANARYDOC5150', 'CANARYANSWER5151']

verifies(
  'documents.withheld',
  'who holds Config and not Chat reads no word of restricted text at any endpoint, and titles and states still',
  async () => {
    await using citewell = await startTestService()
    const world = createAuthorizationWorld(citewell)
    const realm = await world.addRealm(await world.addWorkspace())
    const base = realm.records['knowledge-bases'] ?? ''
    const owner = realm.owner.token
    const put = async (method: string, path: string, body: unknown) => {
      const answer = await world.send(method, `/api/v1${path}`, { token: owner, body })
      expect(answer.status).toBeLessThan(300)
      return answer
    }
    await put('PUT', `/sources/${realm.records['sources']}/documents`, {
      documents: [
        {
          external_id: 'secret',
          title: 'Title of the vault',
          url: 'https://example.com/vault',
          markdown: `# Title of the vault\n\n## Opening\n\nThe vault opens with ${CANARIES[0]} at noon.`,
          visibility: 'restricted',
        },
      ],
    })
    const listed = await put('GET', `/knowledge-bases/${base}/documents`, undefined)
    const found = (listed.body['data'] as { id: string; title: string }[]).find(({ title }) =>
      title.includes('vault'),
    )
    const custom = await put('POST', `/knowledge-bases/${base}/custom-answers`, {
      question: 'What is behind the vault door?',
      answer: `Behind the vault door is ${CANARIES[1]}.`,
      visibility: 'restricted',
    })
    const asked = []
    for (const query of ['How does the vault open?', 'What is behind the vault door?']) {
      asked.push((await put('POST', `/knowledge-bases/${base}/chat`, { query })).text)
    }
    const idsIn = (text: string, name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? ''
    const records = {
      ...realm.records,
      documents: found?.id ?? '',
      'custom-answers': String(custom.body['id']),
      messages: idsIn(asked[0] ?? '', 'message_id'),
      conversations: idsIn(asked[0] ?? '', 'thread_id'),
    }
    const editor = await world.addPerson(realm.workspaceId, 'member')
    const grant = (permissions: string[]) =>
      put('PUT', `/knowledge-bases/${base}/grants/${editor.userId}`, { permissions })

    /** Which canaries come out of every endpoint that this person may call, and where. */
    async function readAll(): Promise<string[]> {
      const seen = new Set<string>()
      const tried = inWorkingOrder(
        TEAM.filter(
          ({ method, permission, operationId }) =>
            permission !== 'operate' &&
            operationId !== 'updateDocument' &&
            (method === 'GET' || /^(?:update|preview|replay|create)/.test(operationId)),
        ),
      )
      for (const endpoint of tried) {
        const body = endpoint.operationId === 'updateCustomAnswer' ? {} : bodyOf(endpoint, records)
        const { text } = await world.send(endpoint.method, pathWith(endpoint, records), {
          token: editor.token,
          body: endpoint.method === 'GET' ? undefined : body,
        })
        for (const canary of CANARIES) if (text.includes(canary)) seen.add(endpoint.operationId)
      }
      const kept = await world.send('PATCH', `/api/v1/documents/${records.documents}`, {
        token: editor.token,
        body: { visibility: 'restricted' },
      })
      if (kept.text.includes(CANARIES[0] ?? '')) seen.add('updateDocument')
      return [...seen].toSorted()
    }

    expect(asked.join(' ')).toContain(CANARIES[0])
    await grant(['config'])
    expect(await readAll()).toEqual([])
    const one = await world.send('GET', `/api/v1/documents/${records.documents}`, { token: editor.token })
    const answers = await world.send('GET', `/api/v1/knowledge-bases/${base}/custom-answers`, {
      token: editor.token,
    })
    expect(one.body).toMatchObject({
      title: 'Title of the vault',
      visibility: 'restricted',
      chunks: [],
      withheld: true,
    })
    expect(answers.body['data']).toContainEqual(
      expect.objectContaining({ question: 'What is behind the vault door?', answer: null, withheld: true }),
    )

    await grant(['config', 'chat'])
    expect(await readAll()).toEqual(
      expect.arrayContaining([
        'getDocument',
        'listCustomAnswers',
        'updateCustomAnswer',
        'updateDocument',
        'getConversation',
        'getTrace',
      ]),
    )
  },
  120_000,
)
