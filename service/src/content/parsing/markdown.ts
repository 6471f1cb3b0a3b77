import { parse as parseYaml } from 'yaml'
import { decodeText } from './charset.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { oneLine } from './html-tree.ts'
import { readFragment } from './html.ts'
import { languageTag } from './language-tag.ts'
import { lastSegment } from './last-segment.ts'
import { markdownHtml, mdxHtml } from './markdown-html.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'

/** Reads Markdown, or MDX if its media type says so. */
export function parseMarkdown(input: ParseInput): ParsedPage {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const isMdx = input.mediaType === 'text/mdx' || /\.mdx$/i.test(input.url)
  const { html, frontMatter, heading } = isMdx ? mdxHtml(text) : markdownHtml(text)
  const metadata = readFrontMatter(frontMatter)
  const read = readFragment(html, input.url)
  const title = oneLine(stringOf(metadata['title']) ?? plainText(heading ?? '')) || lastSegment(input.url)
  const blocks = withoutTitle(read.length > 0 ? read : homePage(metadata), title)
  const language = languageTag(stringOf(metadata['lang']) ?? stringOf(metadata['language']))
  return { document: { title, language, blocks }, textLength: textLengthOf(blocks), page: undefined }
}

/** Front matter that is invalid, or not a mapping, is ignored. */
function readFrontMatter(yaml: string | undefined): Record<string, unknown> {
  if (yaml === undefined) return {}
  try {
    return recordOf(parseYaml(yaml, { maxAliasCount: 100 }))
  } catch {
    return {}
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim() || undefined
    : undefined
}

/** A page of front matter only: a description, or the hero and features of a home page. */
function homePage(metadata: Record<string, unknown>): Block[] {
  const hero = recordOf(metadata['hero'])
  const features = Array.isArray(metadata['features']) ? metadata['features'].map(recordOf) : []
  const lines = [metadata['description'], hero['name'], hero['text'], hero['tagline']]
  const cards = features.flatMap((feature) => [`**${stringOf(feature['title']) ?? ''}**`, feature['details']])
  return [...lines, ...cards]
    .map(stringOf)
    .filter((text) => text !== undefined && text !== '****')
    .map((text) => ({ kind: 'paragraph', markdown: text ?? '' }))
}
