import axe from 'axe-core'
import { JSDOM } from 'jsdom'

/** Rules that need a layout, which jsdom does not have: contrast and target size are tested in a browser. */
const NEEDS_LAYOUT = ['color-contrast', 'target-size']

interface Results {
  violations: { id: string; help: string; nodes: { html: string }[] }[]
  passes: { id: string }[]
}

export interface Axe extends Disposable {
  /** The violations that axe-core finds on a page, one line for each element, and the rules that applied to some element. */
  violationsOn(html: string): Promise<{ violations: string[]; passed: string[] }>
}

/**
 * A window with axe-core in it, in which one page after the other is written: reading its code takes longer than looking at a page.
 *
 * @example
 * using axe = openAxe()
 * expect((await axe.violationsOn(html)).violations).toEqual([])
 */
export function openAxe(): Axe {
  const { window } = new JSDOM('', { runScripts: 'outside-only', url: 'https://answers.example.com/' })
  window.eval(axe.source)
  const rules = Object.fromEntries(NEEDS_LAYOUT.map((id) => [id, { enabled: false }]))
  return {
    violationsOn: async (html) => {
      const { document } = window
      document.open()
      document.write(html)
      document.close()
      const { violations, passes } = (await window.eval(
        `axe.run(document, ${JSON.stringify({ rules })})`,
      )) as Results
      return {
        violations: violations.flatMap(({ id, help, nodes }) =>
          nodes.map((node) => `${id}: ${help}: ${node.html}`),
        ),
        passed: passes.map(({ id }) => id),
      }
    },
    [Symbol.dispose]: () => window.close(),
  }
}
