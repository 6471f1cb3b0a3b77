/** Media types that can be parsed, by file extension. */
const BY_ENDING: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/mdx',
  rst: 'text/x-rst',
  adoc: 'text/asciidoc',
  asciidoc: 'text/asciidoc',
  ipynb: 'application/x-ipynb+json',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
  text: 'text/plain',
}

/** Tables and slides: documents where people chose the files; in repositories, sites and buckets, programs wrote most of the tables. */
const KEPT: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** The media type of a file by its name; undefined if it cannot be parsed. */
export const mediaTypeOfFile = (path: string): string | undefined => BY_ENDING[endingOf(path)]

/** The same, of a file that people keep as a document: tables and slides too. */
export const mediaTypeOfKeptFile = (path: string): string | undefined =>
  mediaTypeOfFile(path) ?? KEPT[endingOf(path)]

const ALSO_READ = new Set([
  ...Object.values(BY_ENDING),
  'text/x-markdown',
  'text/prs.fallenstein.rst',
  'text/x-asciidoc',
])

/** Whether documents of a media type can be parsed; parameters (`; charset=`) are ignored. */
export function canParse(mediaType: string): boolean {
  return ALSO_READ.has(bareType(mediaType))
}

const PACKED = new Set([BY_ENDING['pdf'], BY_ENDING['docx'], KEPT['xlsx'], KEPT['pptx']])

/** Whether the document's bytes are its text with markup. PDF and office files are compressed, and may contain little text. */
export function isTextType(mediaType: string): boolean {
  return !PACKED.has(bareType(mediaType))
}

/** @example bareType('Text/HTML; charset=utf-8') // 'text/html' */
export function bareType(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
