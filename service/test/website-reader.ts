import type { SourceConfig } from '@citewell/contract/source-configs'
import { createPageRenderer } from '../src/content/connectors/website/render-page.ts'
import { createWeb } from '../src/content/connectors/website/web-reader.ts'
import { createWebsiteConnector } from '../src/content/connectors/website/website.ts'
import { createOutbound, type Outbound } from '../src/platform/outbound/outbound.ts'
import { htmlPage, startFakeSite, type FakePage } from './fake-site.ts'
import { createKeptParsing } from './kept-parsing.ts'
import { createSourceReader, websiteConfig, type SourceReading } from './read-source.ts'

/** Readers of websites without a browser and without real waiting: they advance their clock instead. */
export interface WebsiteReaders extends AsyncDisposable {
  newReader(through?: Outbound): ReturnType<typeof createSourceReader<SourceConfig<'website'>>>
  /** Reads a site of these pages once, from its root. */
  read(pages: Record<string, FakePage>, given?: Partial<SourceConfig<'website'>>): Promise<SourceReading>
  /** Each wait of the last reader, in milliseconds. */
  waits: number[]
}

export function createWebsiteReaders(): WebsiteReaders {
  const parsing = createKeptParsing()
  const outbound = createOutbound({ allowPrivateNetwork: ['127.0.0.1'] })
  const waits: number[] = []

  function newReader(through = outbound) {
    waits.length = 0
    let clock = 0
    const web = createWeb({
      outbound: through,
      parse: (...given) => parsing.parse(...given),
      parseSitemap: (...given) => parsing.parseSitemap(...given),
      renderer: createPageRenderer({ chromiumPath: '/nowhere', sandbox: 'on' }),
      parallelPerHost: 4,
      random: () => 1,
      now: () => clock,
      wait: async (milliseconds, signal) => {
        waits.push(milliseconds)
        clock += milliseconds
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
      },
    })
    return createSourceReader(createWebsiteConnector(web))
  }

  return {
    newReader,
    waits,
    read: async (pages, given = {}) => {
      await using site = await startFakeSite(pages)
      return await newReader()(websiteConfig({ start_urls: [`${site.origin}/`], ...given }))
    },
    [Symbol.asyncDispose]: async () => {
      await outbound.close()
    },
  }
}

/** A page with a few sentences on a subject. */
export const pageAbout = (about: string, links: string[] = [], head = '') =>
  htmlPage(about, textAbout(about), { links, head })

export const textAbout = (about: string) => `This page is about ${about}. `.repeat(4)
