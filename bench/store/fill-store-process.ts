/** Fills a data directory over the push API, in its own process. */
import { startFillingService } from '../../service/test/start-filling-service.ts'
import { answerParent } from '../processes/child.ts'
import { fingerprintOfCode, type StoreFacts } from './store-folder.ts'
import { writePage } from './write-page.ts'

/** Shares of all pages in the groups, which are filled in this order before the rest: filters are measured with these. */
const GROUP_SHARES = [0.05, 0.1] as const
const PAGES_PER_REQUEST = 50

const notifyParent = answerParent({ fill })

async function fill({ data, chunks }: { data: string; chunks: number }): Promise<StoreFacts> {
  await using service = await startFillingService(data)
  const call = async <Answer>(method: string, path: string, body: unknown): Promise<Answer> => {
    const response = await fetch(new URL(path, service.address), {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }

  const base = await call<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Bench',
    language: 'en',
    starter_questions: { mode: 'none' },
  })
  const of = `/api/v1/knowledge-bases/${base.id}`
  const { key } = await call<{ key: string }>('POST', `${of}/client-keys`, { name: 'Bench' })
  const groups: StoreFacts['groups'] = []
  let pages = 0

  async function fillGroup(share: number, until: number): Promise<void> {
    const name = `Group ${groups.length + 1}`
    const group = await call<{ id: string }>('POST', `${of}/source-groups`, { name })
    groups.push({ id: group.id, share })
    const source = await call<{ id: string }>('POST', `${of}/sources`, {
      type: 'push',
      name,
      source_group_id: group.id,
    })
    while (service.passages() < until) {
      const documents = Array.from({ length: PAGES_PER_REQUEST }, (_, place) => {
        const number = pages + place
        return { ...writePage(number), external_id: `${number}`, url: `https://docs.example.com/${number}` }
      })
      await call('PUT', `/api/v1/sources/${source.id}/documents`, { documents })
      pages += PAGES_PER_REQUEST
      // The service creates them when a base has grown enough; from then on each row costs more.
      await service.dropVectorIndexes()
      notifyParent(`${service.passages()} of ${chunks} passages`)
    }
  }

  let filled = 0
  for (const share of [...GROUP_SHARES, 1 - GROUP_SHARES.reduce((sum, part) => sum + part, 0)]) {
    filled += share
    // The group ends up just under the share, because whole requests are sent.
    await fillGroup(share, Math.round(filled * chunks) - PAGES_PER_REQUEST * 5)
  }
  notifyParent('building the vector index')
  await service.restoreVectorIndexes()
  return { fingerprint: fingerprintOfCode(), chunks: service.passages(), pages, baseId: base.id, key, groups }
}
