import axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import { contrastFaults } from './contrast-faults.ts'
import { endStreams } from './end-streams.ts'
import { goToScreen } from './go-to-screen.ts'

/** How a screen is looked at: on a wide screen in light, and on a phone in dark. */
const LOOKS = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 1280 },
] as const

/** What axe finds wrong with a page as it is, or with the part of it that `include` selects, one line for each rule; and what has too little contrast. */
export async function faultsOf(page: Page, include?: string): Promise<string[]> {
  // The program is half a megabyte: a page gets it once. What passes is not told, which takes longer than finding it.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeCore.source)
  const where = include === undefined ? 'document' : JSON.stringify({ include: [include] })
  const violations = (await page.evaluate(
    `axe.run(${where}, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, html }) => target.join(' ') + ' ' + html) })))`,
  )) as { id: string; nodes: string[] }[]
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.slice(0, 200)).join(' | ')}`),
    ...(await contrastFaults(page, include ?? 'body')),
  ]
}

/** The same in every look, and whether the page is wider than the screen. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    // A colour halfway to another has a contrast that nobody reads.
    await page.evaluate(
      'document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish())',
    )
    const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    const found = [...(await faultsOf(page)), ...(wider > 0 ? [`${wider} pixels too wide`] : [])]
    faults.push(...found.map((fault) => `${colorScheme}, ${width}: ${fault}`))
  }
  return faults
}

/** What is wrong with screens of the dashboard, by their paths, in every look. `open` goes to the first. */
export async function faultsOfScreens(
  page: Page,
  paths: readonly string[],
  open: (path: string) => Promise<unknown>,
): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {}
  const streams = await endStreams(page)
  try {
    for (const [at, path] of paths.entries()) {
      await (at === 0 ? open(path) : goToScreen(page, path))
      await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor()
      if (at === 0) await page.waitForLoadState('networkidle')
      const found = await faultsInEveryLook(page)
      if (found.length > 0) faults[path] = found
    }
  } finally {
    await streams[Symbol.asyncDispose]()
  }
  return faults
}
