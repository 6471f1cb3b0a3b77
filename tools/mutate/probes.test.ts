import { expect, test } from 'vitest'
import { probeAt, probesOf, withProbes } from './probes.ts'

const SOURCE = `const LIMIT = 3
export const isMore = (count: number) => count > LIMIT
export function nameOf(count: number): string {
  if (count === 0) return 'none'
  else if (isMore(count)) throw new Error('too many')
  for (const one of [1]) if (one === count) return \`one\`
  const [name] = [1, 2].map((each) => ({ each })).map(({ each }) => (each > count ? 'few' : count && 'some'))
  return String(name)
}
`

function partAt(words: string): string | undefined {
  const probes = probesOf(SOURCE)
  const nth = probeAt(probes, SOURCE.indexOf(words))
  const probe = nth === undefined ? undefined : probes[nth]
  return probe && SOURCE.slice(probe.start, probe.end)
}

/** What is executed, by the marks that are passed. */
async function run(call: string): Promise<string[]> {
  const passed = new Set<string>()
  Object.assign(globalThis, { reachedByTest: passed })
  const code = `${withProbes(SOURCE, 'a.ts')}\ntry { ${call} } catch {}`
  await import(
    `data:text/javascript,${encodeURIComponent(code.replaceAll(/: (?:number|string)/g, ''))}#${call}`
  )
  Object.assign(globalThis, { reachedByTest: undefined })
  const probes = probesOf(SOURCE)
  return [...passed].map((mark) => {
    const { start = 0, end = 0 } = probes[Number(mark.replace('a.ts:', ''))] ?? {}
    return SOURCE.slice(start, end)
  })
}

test('a change is in the smallest branch, block or function around it', () => {
  expect(partAt('> LIMIT')).toBe('count > LIMIT')
  expect(partAt("'none'")).toBe("return 'none'")
  expect(partAt('=== 0')).toMatch(/^\{\n {2}if \(count === 0\)/)
  expect(partAt('new Error')).toBe("throw new Error('too many')")
  expect(partAt("'few'")).toBe("'few'")
  expect(partAt("'some'")).toBe("'some'")
  expect(partAt('3\n')).toBeUndefined()
})

test('code with marks does the same, on the same lines, and tells which parts of it are executed', async () => {
  expect(withProbes(SOURCE, 'a.ts').split('\n')).toHaveLength(SOURCE.split('\n').length)
  const none = await run('nameOf(0)')
  expect(none).toContain("return 'none'")
  expect(none).not.toContain('count > LIMIT')
  const many = await run('nameOf(9)')
  expect(many).toContain("throw new Error('too many')")
  expect(many).not.toContain("return 'none'")
  const some = await run("if (nameOf(2) !== 'some') throw new Error()")
  expect(some).toContain("'some'")
  expect(some).not.toContain("'few'")
})
