/**
 * The common format that every kind of document is parsed into: an ordered list of blocks. Texts are Markdown (inline code, emphasis, links
 * with absolute addresses); code is verbatim.
 */
export type Block =
  | { kind: 'heading'; depth: number; text: string; anchor: string | undefined }
  | { kind: 'paragraph'; markdown: string }
  /** An item may contain several lines of Markdown: a nested list, a fenced code block. An ordered list begins at `start`, or else at 1. */
  | { kind: 'list'; items: string[]; isOrdered: boolean; start?: number | undefined }
  /** `header` is empty if the table has none; every row is as long as the longest. Cells are one line each. */
  | { kind: 'table'; header: string[]; rows: string[][] }
  | { kind: 'code'; language: string | undefined; code: string }
  /** A term with its description: an API signature, a glossary term, a command's option. Ends with its blocks. */
  | { kind: 'entry'; term: string; anchor: string | undefined; blocks: Block[] }
  /** A place that a citation can link to (a page of a PDF), without a title. */
  | { kind: 'anchor'; anchor: string }

export interface ParsedDocument {
  /** The page's own title, without the site's name if that can be detected. Plain text, never empty. */
  title: string
  /** BCP 47 language that the page declares, e.g. `en` or `pt-BR`. */
  language: string | undefined
  blocks: Block[]
  /** What limits of this service left out of it, a sentence for each limit: its owner is told. Undefined: nothing. */
  leftOut?: string[] | undefined
}

/** What an HTML page declares for crawlers. */
export interface PageMetadata {
  /** Absolute http(s) addresses in document order, from the whole page; unique, without fragments and without `nofollow` links. */
  links: string[]
  /** The canonical address that the page declares. */
  canonical: string | undefined
  /** The page asks not to be indexed. */
  noindex: boolean
  /** The page asks that none of its links be followed (they are in `links` all the same). */
  nofollow: boolean
  /** The target of a `<meta http-equiv=refresh>`. */
  refresh: string | undefined
  /** What the page says it was made with, such as `Docusaurus v3.9.2`. Of this length at most: see `html-metadata.ts`. */
  generator: string | undefined
  /** Addresses of frames and iframes. */
  frames: string[]
  /** Hardly any text, but scripts that may write some: worth rendering in a browser. */
  looksEmptyWithoutScript: boolean
}

export interface ParsedPage {
  document: ParsedDocument
  /** Characters of plain text in the document, code included. */
  textLength: number
  /** HTML pages only. */
  page: PageMetadata | undefined
}

/** One operation of an API description, as a separate document. */
export interface OperationPage {
  /** Method and path, e.g. `GET /pets/{id}`: unique within the description. */
  name: string
  /** Fragment of the operation in a rendered reference: its operationId, or `get-pets-id`. */
  anchor: string
  document: ParsedDocument
  textLength: number
}

/** A document to be parsed. */
export interface ParseInput {
  /** e.g. `text/html`; parameters are ignored (see `charset`). */
  mediaType: string
  bytes: Uint8Array
  /** Where the document was found: relative links are resolved against it, and its last segment is the title of last resort. */
  url: string
  /** From the transport (`Content-Type: …; charset=`), if given. */
  charset?: string | undefined
  /** CSS selector of the parts of an HTML page that are content; all matches are taken. */
  contentSelector?: string | undefined
}
