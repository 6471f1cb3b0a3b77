import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import type * as markdownModule from '../../widget/src/markdown/markdown.ts'
import type { WidgetWorld } from './widget-world.ts'

/** What would run, or fetch, if it became more than text. `EVIL` is another origin. */
const PIECES = [
  '<script>attack()</script>',
  '<script src="//EVIL/a.js">',
  '<img src=x onerror=attack()>',
  '<img src="http://EVIL/pixel.png">',
  '<svg onload=attack()>',
  '<iframe srcdoc="<script>parent.attack()</script>">',
  '<style>@import "//EVIL/a.css"</style>',
  '<link rel=stylesheet href=//EVIL/b.css>',
  '<body onfocus=attack() autofocus>',
  '<details open ontoggle=attack()>',
  '<math><mtext><style><img src onerror=attack()>',
  '[x](javascript:attack())',
  '[x](JaVaScRiPt&colon;attack())',
  '[x](\u0001javascript:attack())',
  '![x](http://EVIL/pixel.png)',
  '![x][i]\n\n[i]: http://EVIL/i.png\n\n',
  '[x](data:text/html,<script>attack())',
  '<http://EVIL/>',
  'http://EVIL/auto',
  '\u202egnp.exe\u2066',
  '[1]',
  '[1](http://EVIL/)',
  '**',
  '_',
  '`',
  '```html\n',
  '\n```\n',
  '> ',
  '- ',
  '1. ',
  '| a | b |\n| - | - |\n| c | d |\n',
  '\n',
  '\n\n',
  '# ',
  '&lt;script&gt;',
  '<!--',
  '-->',
  '\\',
  ' word ',
  'نص ',
]
const LONG = [
  '['.repeat(100_000),
  '>'.repeat(50_000),
  '*a **a '.repeat(20_000),
  '<a '.repeat(40_000),
  '![](http://EVIL/x)'.repeat(5_000),
]

interface Judged {
  /** Milliseconds of the slowest answer. */
  longest: number
  /** Starts of the answers that end differently when they come in pieces. */
  different: string[]
  /** Scripts that ran. */
  ran: number
}

export interface HostileAnswersReport extends Judged {
  answers: number
  seed: number
  /** Addresses that were asked for. */
  fetched: string[]
}

/** Runs in a page: reads each text in one piece and split at every point, with the built renderer, into real elements. */
function judge({ texts, mostMs }: { texts: readonly string[]; mostMs: number }): Judged {
  const { markdown } = globalThis as unknown as { markdown: typeof markdownModule }
  const h = (tag: string, properties: Record<string, unknown> | null, ...children: (Node | string)[]) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(properties ?? {}))
      if (typeof value === 'string' || typeof value === 'number') element.setAttribute(name, String(value))
    element.append(...children)
    return element
  }
  const place = document.createElement('div')
  document.body.append(place)
  const show = (blocks: ReturnType<typeof markdown.parseBlocks>) => {
    const levels = markdown.headingLevels(blocks, 3)
    const nodes = blocks.flatMap((block, at) =>
      markdown.createRenderer<Node>({
        h,
        citation: (index) => (index === 1 ? h('a', { href: 'https://docs.example.com/' }, '1') : undefined),
        code: (text, lang) => h('pre', { lang }, text),
        link: (href) => ({ href }),
        isImageShown: () => false,
        headingLevel: levels[at] ?? 3,
      })(block),
    )
    place.replaceChildren(...nodes)
  }
  /** Milliseconds to read and show a text. One that seems slow gets more tries: something else may have had the processor. */
  const timeOf = (text: string, tries = 5): number => {
    const started = performance.now()
    show(markdown.parseBlocks(text))
    const took = performance.now() - started
    return took > mostMs && tries > 1 ? Math.min(took, timeOf(text, tries - 1)) : took
  }
  const judged: Judged = { longest: 0, different: [], ran: 0 }
  for (const text of texts) {
    judged.longest = Math.max(judged.longest, timeOf(text))
    const whole = place.cloneNode(true)
    const stream = markdown.createStreamedBlocks()
    // Of the long ones, the work for each point would be for nothing: they are one block.
    const step = text.length > 5_000 ? text.length / 20 : 1
    for (let at = 0; at < text.length; at += step)
      show(stream.read(text.slice(0, at)) as ReturnType<typeof markdown.parseBlocks>)
    show(stream.finish(text) as ReturnType<typeof markdown.parseBlocks>)
    if (!whole.isEqualNode(place)) judged.different.push(text.slice(0, 200))
    for (const link of place.querySelectorAll('a')) link.focus()
  }
  judged.ran = (globalThis as { attacks?: number }).attacks ?? 0
  place.remove()
  return judged
}

const ANSWERS = fc.array(
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 6 })),
  { minLength: 1, maxLength: 10 },
)

/** Answers that are judged in one go, so that no message to the browser is too long. */
const AT_ONCE = 200

/**
 * Shows hostile answers with the built renderer, whole and split at every point, on a page where scripts may run and everything may be
 * fetched: whatever becomes more than text is seen.
 *
 * @param mostMs - an answer that takes longer is timed again
 */
export async function judgeHostileAnswers(
  world: WidgetWorld,
  browser: Browser,
  { runs, seed, mostMs }: { runs: number; seed: number; mostMs: number },
): Promise<HostileAnswersReport> {
  const page = await browser.newPage()
  const manifest = await (await fetch(`${world.service.origin}/widget/manifest.json`)).text()
  const { version } = JSON.parse(manifest) as { version: string }
  const [renderer] = /markdown-[\w-]{8}\.js/.exec(manifest) ?? []
  const address = `${world.service.origin}/widget/${version}/${renderer}`
  world.pages.set(
    '/empty',
    '<!doctype html><title>t</title><link rel="icon" href="data:,"><script>attacks = 0; attack = () => attacks++</script><body>',
  )
  await page.goto(`${world.pages.origin}/empty`)
  await page.evaluate(`import('${address}').then((loaded) => { globalThis.markdown = loaded })`)
  const fetched: string[] = []
  page.on('request', (request) => request.url() !== address && fetched.push(request.url()))
  // A real server that would see what is fetched.
  const evil = new URL(world.pages.origin).host
  const texts = [
    ...fc.sample(ANSWERS, { numRuns: runs, seed }).map((pieces) => pieces.join('')),
    ...LONG,
  ].map((text) => text.replaceAll('EVIL', evil))
  const report = { answers: texts.length, seed, longest: 0, different: [] as string[], ran: 0, fetched }
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    const judged = await page.evaluate(judge, { texts: texts.slice(at, at + AT_ONCE), mostMs })
    report.longest = Math.max(report.longest, judged.longest)
    report.different.push(...judged.different)
    // The page counts from its start.
    report.ran = judged.ran
  }
  // What was asked for is seen by its server first, and here a moment later.
  await page.evaluate('new Promise((wake) => requestIdleCallback(wake))')
  await page.close()
  return report
}
