import { convert, LoggerManager, NullLogger } from '@asciidoctor/core'
import { decodeText } from './charset.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { readFragment } from './html.ts'
import { lastSegment } from './last-segment.ts'
import { ParseFailure } from './parse-failure.ts'
import type { ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'

/**
 * What a document cannot change. Sections get the anchors that GitHub gives them, unless a document asks for others. `secure` reads no file
 * and no address, and keeps a value of an attribute, which may repeat another, below 4 KiB.
 *
 * @see https://docs.asciidoctor.org/asciidoctor/latest/safe-modes/
 * @see https://github.com/github/markup/blob/master/lib/github/markups.rb
 */
const OPTIONS = {
  safe: 'secure',
  attributes: {
    // Shown as a heading, so that its anchor is known.
    showtitle: '',
    // The sections of the document are read themselves.
    toc: null,
    sectnums: null,
    // Keys, menus and buttons by their names.
    experimental: '',
    'idprefix@': '',
    'idseparator@': '-',
    // Two hyphens that are no dash: the manuals of git and perf define it in settings of their own.
    'litdd@': '&#45;&#45;',
    'env-github': '',
    env: 'github',
    // A link to another file opens that file.
    outfilesuffix: '.adoc',
    relfilesuffix: '.adoc',
  },
}

/** A page of a manual and its section, as the manuals of git, perf and others name it: `linkgit:git-log[1]`. */
const MANUAL_PAGE = /\b(?:link[a-z]{2,12}|man):([\w.@+-]{1,80})\[(\d[a-z]{0,2})\]/g

/** Zero-width space: Asciidoctor writes one after each ellipsis and dash, where a browser may break the line. */
const MAY_BREAK = '&#8203;'

/** What the library has to say about a document goes nowhere: parts of it that have no logger write to the console. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  LoggerManager.logger = new NullLogger()
  const { warn, error, info, debug } = console
  const silent = () => undefined
  Object.assign(console, { warn: silent, error: silent, info: silent, debug: silent })
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, error, info, debug })
  }
}

/** A line that includes a file, as Asciidoctor reads it; a backslash in front keeps it as text. */
const isInclude = (line: string): boolean => /^include::[^\s[]/.test(line) && line.trimEnd().endsWith(']')

/** Without the includes of other files: where they were not expanded, only their paths would be seen. */
const withoutIncludes = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isInclude(line) ? '' : line))
    .join('\n')

/** Reads AsciiDoc. Includes that are left in the text are left out: a repository expands those of its own files. */
export async function parseAsciidoc(input: ParseInput): Promise<ParsedPage> {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const source = withoutIncludes(text).replaceAll(MANUAL_PAGE, '$1($2)')
  const html = await quietly(async () => await convert(source, OPTIONS))
  // A document is returned only where a file is asked for.
  if (typeof html !== 'string') throw new ParseFailure('The AsciiDoc could not be read.')
  const read = readFragment(html.replaceAll(MAY_BREAK, ''), input.url)
  const heading = read.find((block) => block.kind === 'heading')
  const title = heading === undefined ? '' : plainText(heading.text)
  const blocks = withoutTitle(read, title)
  return {
    document: { title: title || lastSegment(input.url), language: undefined, blocks },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}
