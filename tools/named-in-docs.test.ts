import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'REVIEW.md']

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
/** Each file and each folder, with a slash before it. */
const places = new Set(
  tracked.flatMap((file) => {
    const parts = file.split('/')
    return parts.map((_part, at) => `/${parts.slice(0, at + 1).join('/')}`)
  }),
)
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** What a page has in backticks, outside of blocks of code. */
const namedIn = (page: string): string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, named]) => named ?? '')

/** Names with a variable part (`<noun>`, `NNNN`, `…`, `*`), addresses and packages are no paths of the tree. */
const isPath = (named: string): boolean =>
  /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(named) &&
  /\/|\.(?:tsx?|json|md)$/.test(named) &&
  !/^node_modules\/|NNNN|^x[-.]/.test(named)

/** Pages name a file from the root, from the room that they tell of, or alone. */
const isThere = (path: string): boolean => {
  const ending = `/${path.replace(/\/$/, '')}`
  return [...places].some((place) => place.endsWith(ending))
}

for (const page of PAGES) {
  test(`every file, folder and npm script that ${page} names exists`, () => {
    const named = namedIn(readFileSync(join(ROOT, page), 'utf8'))
    const paths = named.filter(isPath)
    const run = named.flatMap((words) => /^npm run ([\w:-]+)/.exec(words)?.[1] ?? [])

    expect(paths.length + run.length).toBeGreaterThan(3)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
    expect(run.filter((script) => scripts[script] === undefined)).toEqual([])
  })
}
