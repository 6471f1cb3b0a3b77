import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { MARKDOWN_SHAPES } from '../../../test/hostile-shapes.ts'
import { startTestService } from '../../../test/start-service.ts'

test(
  'passages indexed before the length limit existed are read within the limit',
  { timeout: 120_000 },
  async () => {
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Old' })
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: 'push',
      name: 'push',
      config: {},
    })
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [
        {
          external_id: 'a',
          title: 'Zebrafish',
          url: 'https://example.com/a',
          markdown: 'The zebrafish **swims**.',
        },
      ],
    })
    const find = async () =>
      await citewell.json<{ results: { title: string; snippet: string }[] }>(
        'POST',
        `/api/v1/knowledge-bases/${base.id}/search`,
        { query: 'zebrafish' },
      )
    const [written] = await citewell.rows('select reading from chunks')
    expect(JSON.parse(String(written?.['reading']))).toEqual({
      parts: [['The zebrafish swims.']],
      links: [],
      images: [],
    })

    // As the previous version left it: one over-long row and no stored reading.
    const row = `| The zebrafish | ${MARKDOWN_SHAPES['bold-runs'](150_000)} |`
    await sql`update chunks set reading = null, text = ${row}, terms = repeat(terms || ' ', 100000)`.execute(
      citewell.storage.db,
    )
    await sql`update documents set title = repeat('Zebrafish ', 100000)`.execute(citewell.storage.db)
    const before = process.threadCpuUsage()
    const { results } = await find()
    const { user, system } = process.threadCpuUsage(before)
    expect(results[0]?.snippet).toContain('The zebrafish')
    expect(results[0]?.title.length).toBeLessThanOrEqual(1_000)
    // Without the limit this took more than a minute.
    expect(user + system).toBeLessThan(5_000_000)
  },
)
