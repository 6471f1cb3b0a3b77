/* Bodies as platforms write them, turned into Markdown: which words are kept, and which come in. Exits with 6 below the bounds. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  itemInput,
  createParsing,
  renderBlock,
  type ParseInput,
} from '../../service/src/content/parsing/parsing.ts'
import { markdownOf } from '../../service/src/content/connectors/notion/notion-markdown.ts'
import { hasMediawiki, startMediawiki } from '../../service/test/connectors/mediawiki-server.ts'
import { createRandom } from '../../service/test/connectors/random.ts'
import { makeBody, sentencesOf, textOf, type BodyBlock } from './make-body.ts'
import { asAdf, asHelpCenterHtml, asNotion, asStorage, asWikitext } from './write-bodies.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MIN_KEPT = 0.97
const MAX_NOISE = 0.05
const URL = 'https://docs.example.com/page'
const TITLE = 'A page'

const { values } = parseArgs({
  options: {
    /** Bodies of each format. */
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    /** Folder of the evaluation data: its pages are what the bodies say. */
    data: {
      type: 'string',
      default: process.env['CITEWELL_EVAL_DIR'] ?? join(ROOT, '../shared/eval'),
    },
    set: { type: 'string', default: 'ray_docs_qa' },
  },
})

const corpus = join(values.data, values.set, 'corpus.jsonl')
if (!existsSync(corpus)) {
  console.error(`There is no ${values.set}/corpus.jsonl in the folder of --data.`)
  process.exit(2)
}
const sentences = sentencesOf(
  readFileSync(corpus, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, 400)
    .map((line) => (JSON.parse(line) as { text: string }).text),
)

type Read = (blocks: readonly BodyBlock[]) => ParseInput | Promise<ParseInput>
const formats: Record<string, Read> = {
  'Confluence storage format': (blocks) =>
    itemInput(TITLE, [{ storage: asStorage(blocks), site: 'https://acme.example/wiki', space: 'D' }], URL),
  'Atlassian Document Format': (blocks) => itemInput(TITLE, [{ adf: asAdf(blocks) }], URL),
  'Notion blocks': (blocks) => ({
    mediaType: 'text/markdown',
    charset: 'utf-8',
    bytes: Buffer.from(`# ${TITLE}\n\n${markdownOf(asNotion(blocks))}`),
    url: URL,
  }),
  'Zendesk HTML': (blocks) => itemInput(TITLE, [{ html: asHelpCenterHtml(blocks) }], URL),
}

/** How often each word is there. */
function wordsOf(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0)
const shared = (one: Map<string, number>, other: Map<string, number>) =>
  sum([...one].map(([word, count]) => Math.min(count, other.get(word) ?? 0)))

/** What a reader sees of Markdown: without the addresses of links, and without escapes. */
const readable = (markdown: string) =>
  markdown
    .replaceAll(/\]\(<?[^)>]*>?\)/g, ']')
    .replaceAll(/^(`{3,})[\w+#-]*$/gm, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

interface Tally {
  bodies: number
  words: number
  kept: number
  noise: number
  written: number
  tables: [whole: number, all: number]
  code: [whole: number, all: number]
  unknown: [whole: number, all: number]
}

const oneLine = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()

function tally(blocks: readonly BodyBlock[], markdown: string, into: Tally): void {
  const truth = wordsOf(blocks.flatMap(textOf).join('\n'))
  const mentions = blocks
    .flatMap((block) => ('spans' in block ? block.spans : []))
    .filter(({ kind }) => kind === 'mention')
  // Each mention becomes one word.
  if (mentions.length > 0) truth.set('someone', (truth.get('someone') ?? 0) + mentions.length)
  const seen = readable(markdown)
  const written = wordsOf(seen)
  const both = shared(truth, written)
  into.bodies += 1
  into.words += sum(truth.values())
  into.kept += both
  into.written += sum(written.values())
  into.noise += sum(written.values()) - both
  const lines = seen.split('\n').map(oneLine)
  const whole = oneLine(seen)
  for (const block of blocks) {
    if (block.kind === 'table') {
      const isWhole = [block.head, ...block.rows].every((row) => lines.includes(oneLine(row.join(' '))))
      into.tables = [into.tables[0] + Number(isWhole), into.tables[1] + 1]
    } else if (block.kind === 'code') {
      // In a list or a quote its lines are indented.
      into.code = [into.code[0] + Number(markdown.includes(block.text)), into.code[1] + 1]
    } else if (block.kind === 'unknown') {
      const isThere = textOf(block).every((text) => whole.includes(oneLine(text)))
      into.unknown = [into.unknown[0] + Number(isThere), into.unknown[1] + 1]
    }
  }
}

await using parsing = createParsing({ workers: 1, timeLimitMs: 60_000, memoryLimitMb: 400 })
const wiki = hasMediawiki() ? await startMediawiki() : undefined
if (wiki === undefined) console.error('MediaWiki is not installed here: its format is left out.')
else
  formats['MediaWiki wikitext'] = async (blocks) => {
    const asked = new URLSearchParams({
      action: 'parse',
      format: 'json',
      formatversion: '2',
      contentmodel: 'wikitext',
      disableeditsection: '1',
      disabletoc: '1',
      prop: 'text',
      text: asWikitext(blocks),
    })
    const response = await fetch(`${wiki.server.origin}/api.php`, { method: 'POST', body: asked })
    const { parse } = (await response.json()) as { parse: { text: string } }
    return itemInput(TITLE, [{ html: parse.text }], URL)
  }

let isBelow = false
try {
  for (const [name, read] of Object.entries(formats)) {
    const random = createRandom(Number(values.seed))
    const into: Tally = {
      bodies: 0,
      words: 0,
      kept: 0,
      noise: 0,
      written: 0,
      tables: [0, 0],
      code: [0, 0],
      unknown: [0, 0],
    }
    for (let body = 0; body < Number(values.count); body += 1) {
      const blocks = makeBody(random, sentences)
      const { document } = await parsing.parse(await read(blocks))
      const markdown = document.blocks
        .map(renderBlock)
        .filter((text) => text !== `# ${TITLE}`)
        .join('\n\n')
      tally(blocks, markdown, into)
    }
    const [kept, noise] = [into.kept / into.words, into.noise / into.written]
    isBelow ||= kept < MIN_KEPT || noise > MAX_NOISE
    for (const [whole, all] of [into.tables, into.code, into.unknown]) isBelow ||= whole < all
    console.log(
      `${name}: ${into.bodies} bodies, ${into.words} words; kept ${kept.toFixed(4)}, noise ${noise.toFixed(4)}; whole: tables ${into.tables.join('/')}, code ${into.code.join('/')}, unknown blocks ${into.unknown.join('/')}`,
    )
  }
} finally {
  await wiki?.[Symbol.asyncDispose]()
}
process.exitCode = isBelow ? 6 : 0
