import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { htmlPage, startFakeSite } from '../../../test/fake-site.ts'
import { startTestService } from '../../../test/start-service.ts'

interface Sync {
  id: string
  status: string
  warnings: string[]
  counts: Record<string, number>
}

const QUERIES = 60

verifies(
  'syncs.warnings',
  'a sync warns of what a limit of the service leaves out: addresses of a trap, pages beyond max_pages',
  async () => {
    await using site = await startFakeSite()
    const { origin } = site
    const links = Array.from({ length: QUERIES }, (_, at) => `/guide/search?q=${at}`)
    site.set(
      '/guide/',
      htmlPage('Guide', 'Where the guide begins.', { links: [...links, '/guide/a', '/guide/b'] }),
    )
    for (const path of ['/guide/a', '/guide/b']) site.set(path, htmlPage(path, `What ${path} says.`))
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Limits' })
    async function read(type: string, config: object): Promise<Sync> {
      const source = await citewell.json<{ id: string }>(
        'POST',
        `/api/v1/knowledge-bases/${base.id}/sources`,
        {
          type,
          name: type,
          config: { render_js: false, ...config },
        },
      )
      const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
      const ended = await citewell.until<Sync>(
        `/api/v1/syncs/${id}`,
        ({ status }) => !/queued|running/.test(status),
      )
      const { last_sync: last } = await citewell.json<{ last_sync: Sync }>(
        'GET',
        `/api/v1/sources/${source.id}`,
      )
      expect(last.warnings).toEqual(ended.warnings)
      return ended
    }

    const trapped = await read('website', { start_urls: [`${origin}/guide/`], use_sitemap: false })
    expect(trapped).toMatchObject({ status: 'succeeded', counts: { added: 3 } })
    expect(trapped.warnings).toEqual([
      `Addresses were left out: more than 50 queries of one path. 10 times, first at ${origin}/guide/search?q=50`,
    ])
    const cut = await read('website', {
      start_urls: [`${origin}/guide/`],
      use_sitemap: false,
      max_pages: 2,
      exclude: ['search'],
    })
    expect(cut.warnings).toEqual([
      `The limit max_pages (2) is reached. Found and not read: 1. Raise it, or narrow the source. At ${origin}/guide/b`,
    ])
    const whole = await read('website', {
      start_urls: [`${origin}/guide/`],
      use_sitemap: false,
      exclude: ['search'],
    })
    expect(whole.warnings).toEqual([])
  },
  120_000,
)
