import { Id } from '@citewell/contract/fields'
import type { Hono } from 'hono'
import { showPage, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { plainPage } from '../../platform/http/plain-page.ts'
import { findSampleBase, isOnThisMachine, type SampleBaseDb } from '../home/home.ts'
import { DEMO_STYLE } from './demo-style.ts'
import { demoPage, noDemoPage, type DemoParts } from './demo-page.ts'
import { previewPage } from './preview-page.ts'
import { attributesOfQuery, type TagAttributes } from './script-tag.ts'

export interface DemoDeps {
  db: SampleBaseDb
  /** Whether the service is for this machine only. */
  isLocal: boolean
  /** Without a trailing slash. */
  publicUrl: () => string
}

/** As strict as a page can be: it shows that the widget needs one origin, and nothing unsafe. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Citewell's own guide, which the first start reads: the demo is a page of it. */
const SAMPLE_NAME = 'Citewell'

/**
 * `/widget/demo`: a page of documentation with the widget. The machine's own browsers see the first base that anyone may ask; others name one
 * in the address, and learn nothing that its public key does not open. `/widget/preview`: the widget or a support form alone, for a frame of the
 * dashboard.
 */
export function createDemoRoutes({ db, isLocal, publicUrl }: DemoDeps) {
  async function partsOf(context: Page): Promise<DemoParts | undefined> {
    const given = attributesOfQuery(context.req.query())
    // The panel in the page needs no button that opens another.
    const asked = given.mode === 'embedded' ? { launcher: 'none', ...given } : given
    const named = asked['knowledge-base-id'] ?? asked['widget-id']
    const parts = { publicUrl: publicUrl(), isSample: false, baseName: undefined }
    const found = isLocal && isOnThisMachine(context) ? await findSampleBase(db) : undefined
    const isTheSample = found !== undefined && (named === undefined || named === found.id)
    if (isTheSample) {
      const attributes: TagAttributes = { 'knowledge-base-id': found.id, ...asked }
      return { ...parts, attributes, baseName: found.name, isSample: found.name.startsWith(SAMPLE_NAME) }
    }
    return named !== undefined && Id.safeParse(named).success ? { ...parts, attributes: asked } : undefined
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/widget/demo', async (context) => {
      const parts = await partsOf(context)
      if (parts === undefined)
        return await showPage(context, plainPage('Demo of the widget', noDemoPage()), 404)
      return await context.html(demoPage(parts), 200, HEADERS)
    })
    app.get('/widget/demo.css', (context) =>
      context.body(DEMO_STYLE, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=300',
      }),
    )
    app.get('/widget/preview', async (context) => {
      const query = context.req.query()
      const formId = Id.safeParse(query['form_id']).data
      const isSent = formId !== undefined && query['description'] !== undefined
      const page = previewPage({ attributes: attributesOfQuery(query), formId, isSent })
      return await context.html(page, 200, HEADERS)
    })
  }
}
