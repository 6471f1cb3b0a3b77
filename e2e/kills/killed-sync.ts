import { htmlPage, startFakeSite, type FakePage } from '../../service/test/fake-site.ts'
import { until, type RunningCitewell } from '../run-citewell.ts'
import { SECONDS_TO_END, type KilledWork } from './killed-work.ts'

const PAGES = 32
const PARAGRAPHS = 8
/** Written when a process may be ended: some of the others are being written. */
const WRITTEN = PAGES / 4
/** Its server does not answer before a kill: the sync is under way for certain. */
const LAST = `/p${PAGES - 1}`

/** What the first kill interrupts is the reading of what is new, and the second the replacing of all of it; the third, what goes on after that. */
const goesOn = (round: number) => round % 3 === 2

interface Sync {
  id: string
  status: string
  counts: { added: number; changed: number }
}

/** A page that names its edition in every paragraph, so that a mixture of two editions is detected. */
const edition = (word: string) =>
  Array.from({ length: PAGES }, (_, page) => {
    const paragraphs = Array.from(
      { length: PARAGRAPHS },
      (_paragraph, paragraph) => `Paragraph ${paragraph} of page ${page} is ${word}.`,
    )
    const links = [`/p${(page + 1) % PAGES}`, `/p${(page * 7 + 3) % PAGES}`]
    const content = htmlPage(`Page ${page}`, paragraphs.join('</p><h2>More</h2><p>'), { links })
    return [`/p${page}`, content] as const
  })

export interface KilledSync extends KilledWork {
  /** Documents that mixed two editions or were incomplete, with the round after which they were found. */
  broken: string[]
  /** Syncs that were under way right after a start, by round; without those rounds in which one may have ended. */
  interrupted: Sync[][]
  titles(): Promise<string[]>
  expectedTitles: string[]
}

/** A sync of a website that changes on every page between the kills. */
export async function startKilledSync(citewell: RunningCitewell): Promise<KilledSync> {
  const site = await startFakeSite()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Killed syncs',
  })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [`${site.origin}/p0`] },
  })
  const broken: string[] = []
  const interrupted: Sync[][] = []
  let running = citewell
  let isHeld = false

  const syncs = async () =>
    (await running.json<{ data: Sync[] }>('GET', `/api/v1/sources/${source.id}/syncs`)).data
  const isOpen = ({ status }: Sync) => ['queued', 'running'].includes(status)
  const sync = async () => await running.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
  const ended = async () => await until(syncs, (found) => !found.some(isOpen), SECONDS_TO_END)
  const documents = async () =>
    (
      await running.json<{ data: { id: string; title: string }[] }>(
        'GET',
        `/api/v1/knowledge-bases/${base.id}/documents?limit=200`,
      )
    ).data

  /** Documents whose text mixes two editions, or is incomplete. */
  async function noteBroken(when: string): Promise<void> {
    for (const { id, title } of await documents()) {
      const { chunks } = await running.json<{ chunks: { text: string }[] }>('GET', `/api/v1/documents/${id}`)
      const text = chunks.map((chunk) => chunk.text).join('\n')
      const isOfBoth = text.includes('is first') && text.includes('is second')
      const paragraphs = new Set(text.match(/Paragraph \d+ of/g))
      if (isOfBoth || paragraphs.size !== PARAGRAPHS)
        broken.push(`${when}, ${title}: ${paragraphs.size} paragraphs`)
    }
  }

  return {
    broken,
    interrupted,
    expectedTitles: Array.from({ length: PAGES }, (_, page) => `Page ${page}`).sort(),
    titles: async () => (await documents()).map(({ title }) => title).sort(),
    begin: async (now, round) => {
      running = now
      if (!goesOn(round)) await ended()
      isHeld = true
      for (const [path, content] of edition(round % 2 === 0 ? 'first' : 'second')) {
        const page: FakePage = () => (path === LAST && isHeld ? undefined : content)
        site.set(path, page)
      }
      await sync()
      if (goesOn(round)) return
      await until(
        syncs,
        (found) => found.some((one) => isOpen(one) && one.counts.added + one.counts.changed >= WRITTEN),
        SECONDS_TO_END,
      )
    },
    look: async (now, round) => {
      running = now
      isHeld = false
      if (!goesOn(round)) interrupted.push((await syncs()).filter(isOpen))
      await noteBroken(`after kill ${round + 1}`)
    },
    end: async (now) => {
      running = now
      const [last] = await ended()
      // A sync that was killed five times before it wrote anything is abandoned; the next one, as a schedule would start it, reads what is missing.
      if (last?.status === 'failed') {
        await sync()
        await ended()
      }
      await noteBroken('at the end')
    },
    [Symbol.asyncDispose]: async () => await site[Symbol.asyncDispose](),
  }
}
