import axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import type { StoryWorld } from './story-world.ts'

/** What axe finds wrong with a page as it is, and whether it is too wide: on a wide screen in light, on a phone in dark. */
async function faultsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = []
  for (const [colorScheme, width] of [
    ['dark', 390],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(axeCore.source)
    const { violations } = (await page.evaluate('axe.run(document)')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
    faults.push(
      ...violations.map(
        ({ id, nodes }) =>
          `${screen}, ${width}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      ),
      ...(wider > 0 ? [`${screen}, ${width}: ${wider} pixels too wide`] : []),
    )
  }
  return faults
}

/** Looks at the page of a person as it is, and notes what is wrong with it. */
export async function lookAt(
  { faults, page: own }: Pick<StoryWorld, 'faults' | 'page'>,
  screen: string,
  page = own,
): Promise<void> {
  faults.push(...(await faultsOf(page, screen)))
}
