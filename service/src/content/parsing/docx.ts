import mammoth from 'mammoth'
import { checkedZip } from './checked-zip.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { readFragment } from './html.ts'
import { lastSegment } from './last-segment.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'

const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Code'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
  "p[style-name='Source Code'] => pre:separator('\n')",
  "r[style-name='Code'] => code",
  "r[style-name='HTML Code'] => code",
]

/** Reads a Word document: headings, lists, tables, links and footnotes. Images are left out; their descriptions are kept. */
export async function parseDocx(input: ParseInput): Promise<ParsedPage> {
  const parts = checkedZip(input.bytes, (name) => /\.(?:xml|rels)$/i.test(name))
  const read = readFragment(await toHtml(parts), input.url)
  const title = titleIn(read) ?? lastSegment(input.url)
  const blocks = withoutTitle(read, title)
  return {
    document: { title, language: undefined, blocks },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

async function toHtml(buffer: Buffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: STYLES,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      },
    )
    return value
  } catch (error) {
    throw new ParseFailure('The file is not a Word document (.docx), or it is broken.', { cause: error })
  }
}

/** The first heading, unless text comes before it. */
function titleIn(blocks: readonly Block[]): string | undefined {
  const [first] = blocks
  return first?.kind === 'heading' ? plainText(first.text) || undefined : undefined
}
