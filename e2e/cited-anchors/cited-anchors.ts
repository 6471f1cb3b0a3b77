/**
 * Crawls a site of built documentation through the service, asks about it through the public chat API, and checks where
 * each citation points, on the pages as they are served.
 *
 *     npm run anchors -- --folder docs/_build/html --start library/index.html --include '/library/**'
 */
import { parseArgs } from 'node:util'
import { startFakeLlm } from '../../service/test/fake-llm.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from '../run-citewell.ts'
import { ask, type Asked } from './ask.ts'
import { copyingModel } from './copying-model.ts'
import { judgeCitation, type CitedPlace, type Judgement } from './judge-citation.ts'
import { questionsAbout } from './questions.ts'
import { readPage, type ServedPage } from './read-page.ts'
import { serveFolder } from './serve-folder.ts'

const { values: asked } = parseArgs({
  options: {
    folder: { type: 'string' },
    start: { type: 'string', default: 'index.html' },
    include: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', default: '60' },
    questions: { type: 'string', default: '200' },
    failures: { type: 'string', default: '20' },
  },
})
if (asked.folder === undefined)
  throw new Error('The folder of the built pages is missing: pass --folder PATH')

/** Minimum share of correct anchors. */
const MIN_SHARE = 0.98

interface Judged extends CitedPlace, Judgement {
  question: string
}

const say = (line: string) => process.stderr.write(`${line}\n`)

async function crawl(citewell: RunningCitewell, origin: string) {
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    {
      name: `Anchors ${Date.now()}`,
    },
  )
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: {
      start_urls: [`${origin}/${asked.start}`],
      include: asked.include.map((pattern) => `${origin}${pattern}`),
      max_pages: Number(asked.pages),
      use_sitemap: false,
    },
  })
  await citewell.json('POST', `/api/v1/sources/${source.id}/sync`).catch(() => undefined)
  const sync = await until(
    async () => {
      const { data } = await citewell.json<{
        data: { id: string; status: string; counts: Record<string, number> }[]
      }>('GET', `/api/v1/sources/${source.id}/syncs?limit=1`)
      return data[0]
    },
    (each) => each !== undefined && !['queued', 'running'].includes(each.status),
    1_800,
  )
  say(`sync ${sync?.status}: ${JSON.stringify(sync?.counts)}`)
  return { address: citewell.address, knowledgeBaseId: base.id, clientKey: base.client_key.key }
}

async function crawledUrls(citewell: RunningCitewell, knowledgeBaseId: string): Promise<string[]> {
  const { data } = await citewell.json<{ data: { url: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${knowledgeBaseId}/documents?limit=200`,
  )
  return data.map(({ url }) => url)
}

function createPages() {
  const known = new Map<string, Promise<ServedPage>>()
  return (url: string): Promise<ServedPage> => {
    const page = url.split('#')[0] ?? url
    const read = known.get(page) ?? fetch(page).then(async (response) => readPage(await response.text()))
    known.set(page, read)
    return read
  }
}

const share = (judged: readonly Judged[], isRight: (each: Judged) => boolean) => {
  const right = judged.filter(isRight).length
  return `${judged.length === 0 ? '-' : (right / judged.length).toFixed(4)} (${right} of ${judged.length})`
}

function report(name: string, judged: readonly Judged[]): boolean {
  const withAnchor = judged.filter(({ anchor }) => anchor !== undefined)
  const isRight = (each: Judged) => each.exists && each.isNearest
  console.log(`\n${name}`)
  console.log(`  citations with an anchor         ${share(judged, ({ anchor }) => anchor !== undefined)}`)
  console.log(`  anchor is on the served page     ${share(withAnchor, ({ exists }) => exists)}`)
  console.log(`  cited text found on the page     ${share(judged, ({ isFound }) => isFound)}`)
  console.log(`  anchor exists and is the nearest ${share(withAnchor, isRight)}`)
  console.log(
    `  the same, of what it belongs to  ${share(withAnchor, (each) => each.exists && each.isOwner)}`,
  )
  const marking = judged.filter(({ isMarkable }) => isMarkable !== undefined)
  console.log(`  words to mark are on the page    ${share(marking, ({ isMarkable }) => isMarkable === true)}`)
  const failures = judged.filter((each) => !isRight(each) || each.isMarkable === false)
  for (const each of failures.slice(0, Number(asked.failures)))
    console.log(`  ✗ ${JSON.stringify({ ...each, excerpt: each.excerpt.slice(0, 160) })}`)
  return withAnchor.length > 0 && withAnchor.filter(isRight).length / withAnchor.length >= MIN_SHARE
}

async function judge(
  answers: readonly Asked[],
  of: 'found' | 'cited',
  pageAt: (url: string) => Promise<ServedPage>,
) {
  const judged: Judged[] = []
  for (const answer of answers) {
    for (const citation of answer[of]) {
      const { url, excerpt } = citation
      judged.push({ question: answer.question, url, excerpt, ...judgeCitation(citation, await pageAt(url)) })
    }
  }
  return judged
}

await using site = await serveFolder(asked.folder)
await using model = await startFakeLlm(copyingModel())
const pageAt = createPages()
const data = newDataDirectory()
const answers: Record<string, Asked[]> = {}

let place: Awaited<ReturnType<typeof crawl>> | undefined
let questions: string[] = []
for (const [writer, settings] of [
  ['quotes', {}],
  ['a model that copies', { CITEWELL_LLM_BASE_URL: model.baseUrl, CITEWELL_LLM_MODEL: 'fake' }],
] as const) {
  const citewell = await startCitewell({ CITEWELL_DATA_DIR: data, CITEWELL_RATE_LIMITS: 'off', ...settings })
  try {
    place = place === undefined ? await crawl(citewell, site.origin) : { ...place, address: citewell.address }
    if (questions.length === 0) {
      const pages = await Promise.all((await crawledUrls(citewell, place.knowledgeBaseId)).map(pageAt))
      questions = questionsAbout(pages, Number(asked.questions))
      say(`${pages.length} pages, ${questions.length} questions`)
    }
    const of: Asked[] = []
    for (const question of questions) of.push(await ask(place, question))
    answers[writer] = of
    say(`${writer}: ${of.filter(({ isCovered }) => isCovered).length} of ${of.length} covered`)
  } finally {
    await citewell.stop()
  }
}

const results: boolean[] = []
for (const [writer, of] of Object.entries(answers)) {
  results.push(report(`At the end, written by ${writer}`, await judge(of, 'cited', pageAt)))
}
report('While the answer is written', await judge(answers['quotes'] ?? [], 'found', pageAt))
process.exitCode = results.every(Boolean) ? 0 : 6
