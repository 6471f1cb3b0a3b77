import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { DocumentReader, ShownDocuments } from '../../content/documents/documents.ts'
import { documentPath, passageFragment, type AddressedDocument } from '../../content/addresses/addresses.ts'
import { isUuid } from '../../kernel/ids.ts'
import { webAddress } from '../../kernel/uri.ts'
import { showPage, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { documentPage, externalDocumentPage } from './document-page.ts'
import type { PageVisitors } from './page-visitors.ts'
import { sectionsOf } from './page-sections.ts'
import { sendOriginal, type OriginalFiles } from './send-original.ts'
import { writeSections } from './write-sections.ts'

export interface DocumentPagesDeps {
  documents: ShownDocuments
  files: OriginalFiles
  visitors: PageVisitors
  addressOf: (document: AddressedDocument) => string
}

/** Increase when the HTML of pages changes: it is part of the ETag, so cached copies become stale. */
const PAGE_VERSION = 1

/** Maximum characters of the cited words in an address, the same as when it is built. */
const MAX_WORDS = 500
const wordsOf = (text: string | undefined) => (text === undefined ? undefined : text.slice(0, MAX_WORDS))

const partOf = (asked: string | undefined) => (/^[1-9]\d{0,5}$/.test(asked ?? '') ? Number(asked) : 1)

/**
 * The pages of documents without a web address: their citations lead here. Anonymous visitors read the public ones of active external
 * bases, members those of the bases that they may chat in. All others are answered as not found.
 */
export function createDocumentPages({ documents, files, visitors: { visit }, addressOf }: DocumentPagesDeps) {
  async function show(context: Page, looker: DocumentReader): Promise<Response | undefined> {
    const passage = context.req.query('passage')
    const passageId = passage !== undefined && isUuid(passage) ? passage : undefined
    const shown = await documents.readPart(looker, { passageId, part: partOf(context.req.query('part')) })
    if (shown === undefined) return undefined
    const { document, part, parts } = shown
    if (webAddress(document.url) !== undefined) {
      const address = addressOf({ url: document.url, documentId: document.id })
      return await showPage(context, externalDocumentPage({ ...document, address }))
    }
    const hasOriginal = (await documents.findOriginal(document)) !== undefined
    const cited = { from: wordsOf(context.req.query('from')), to: wordsOf(context.req.query('to')) }
    const state = [PAGE_VERSION, document, part, parts, passageId, cited, hasOriginal]
    const etag = `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`
    // The right to read is checked at each request: the document may have become restricted since.
    const headers = {
      ...PLAIN_PAGE_HEADERS,
      'x-robots-tag': 'noindex',
      'cache-control': document.is_public ? 'no-cache' : 'no-store',
      etag,
    }
    const isKnown = document.is_public && context.req.header('if-none-match') === etag
    if (isKnown) return context.body(null, 304, headers)
    const place = passageId === undefined ? undefined : passageFragment(passageId)
    const sections = await writeSections(sectionsOf(shown.passages, passageId), cited, place)
    return await context.html(documentPage(shown, sections, { hasOriginal }), 200, headers)
  }

  async function download(context: Page, looker: DocumentReader): Promise<Response | undefined> {
    const document = await documents.find(looker)
    const original = document === undefined ? undefined : await documents.findOriginal(document)
    return original === undefined ? undefined : await sendOriginal(context, files, original)
  }

  const of = (serve: (context: Page, looker: DocumentReader) => Promise<Response | undefined>) =>
    visit(async (context, memberBaseIds) => {
      const asked = context.req.param('id') ?? ''
      return isUuid(asked) ? await serve(context, { documentId: asked, memberBaseIds }) : undefined
    })

  return (app: Hono<HttpEnv>): void => {
    app.get(documentPath(':id'), of(show))
    app.get(`${documentPath(':id')}/original`, of(download))
  }
}
