import axe from 'axe-core'
import { JSDOM } from 'jsdom'

/** Rules that need a layout, which jsdom does not have: contrast and target size are tested in a browser. */
const NEEDS_LAYOUT = ['color-contrast', 'target-size']

interface Results {
  violations: { id: string; help: string; nodes: { html: string }[] }[]
  passes: { id: string }[]
}

/**
 * The violations that axe-core finds on a page, one line for each element, and the rules that applied to some element.
 *
 * @example
 * expect((await findAxeViolations(html)).violations).toEqual([])
 */
export async function findAxeViolations(html: string): Promise<{ violations: string[]; passed: string[] }> {
  const { window } = new JSDOM(html, { runScripts: 'outside-only', url: 'https://answers.example.com/' })
  try {
    window.eval(axe.source)
    const rules = Object.fromEntries(NEEDS_LAYOUT.map((id) => [id, { enabled: false }]))
    const { violations, passes } = (await window.eval(
      `axe.run(document, ${JSON.stringify({ rules })})`,
    )) as Results
    return {
      violations: violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html}`),
      ),
      passed: passes.map(({ id }) => id),
    }
  } finally {
    window.close()
  }
}
