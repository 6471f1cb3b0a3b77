import { DOCUMENT_TEXT } from '@citewell/contract/limits'
import { decodeText } from './charset.ts'
import { ITEM_TYPE } from './item-body.ts'
import { bareType } from './media-types.ts'
import { ParseFailure } from './parse-failure.ts'
import type { OperationPage, ParsedPage, ParseInput } from './parsing-blocks.ts'

type Parser = (input: ParseInput) => ParsedPage | Promise<ParsedPage>

// Loaded when first needed: a site of HTML pages never loads the PDF reader.
const html = async () => (await import('./html.ts')).parseHtml
const markdown = async () => (await import('./markdown.ts')).parseMarkdown
const rst = async () => (await import('./rst.ts')).parseRst
const asciidoc = async () => (await import('./asciidoc.ts')).parseAsciidoc

async function parseMarkdownOrRst(input: ParseInput): Promise<ParsedPage> {
  const { looksLikeRst } = await import('./detect-rst.ts')
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const parse = looksLikeRst(text) ? await rst() : await markdown()
  return parse(input)
}

const PARSERS: Record<string, () => Promise<Parser>> = {
  'text/html': html,
  'application/xhtml+xml': html,
  'text/markdown': async () => parseMarkdownOrRst,
  'text/x-markdown': async () => parseMarkdownOrRst,
  'text/mdx': markdown,
  'text/x-rst': rst,
  'text/prs.fallenstein.rst': rst,
  'text/asciidoc': asciidoc,
  'text/x-asciidoc': asciidoc,
  'text/plain': async () => (await import('./text.ts')).parseText,
  'application/x-ipynb+json': async () => (await import('./notebook.ts')).parseNotebook,
  'application/pdf': async () => (await import('./pdf.ts')).parsePdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./docx.ts')).parseDocx,
  'text/csv': async () => (await import('./csv.ts')).parseCsvFile,
  'text/tab-separated-values': async () => (await import('./csv.ts')).parseCsvFile,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('./xlsx.ts')).parseXlsx,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('./pptx.ts')).parsePptx,
  [ITEM_TYPE]: async () => (await import('./item-page.ts')).parseItem,
}

/**
 * Parses one document on the calling thread, which it may block for long: `createParsing` does the same in a worker process.
 * @throws ParseFailure
 */
export async function parseDocument(input: ParseInput): Promise<ParsedPage> {
  const mediaType = bareType(input.mediaType)
  const load = PARSERS[mediaType]
  if (load === undefined) throw new ParseFailure(`Documents of type "${mediaType}" cannot be read.`)
  const parse = await load()
  const parsed = await parse({ ...input, mediaType })
  // Later steps keep several copies of the text: a hundred million characters would take gigabytes.
  if (parsed.textLength > DOCUMENT_TEXT)
    throw new ParseFailure(
      `It contains ${Math.round(parsed.textLength / 1e6)} million characters of text; the limit for one document is ${Math.floor(DOCUMENT_TEXT / 1e6)} million. Split it.`,
    )
  return parsed
}

/** @throws ParseFailure */
export async function parseApiDescription(input: ParseInput): Promise<OperationPage[]> {
  const { parseOpenApi } = await import('./openapi.ts')
  return parseOpenApi(input)
}
