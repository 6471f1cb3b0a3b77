import { verifies } from '@citewell/spec/verifies'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalPaths, LocalPathRefused } from './local-paths.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'citewell-paths-')))
const at = (...names: string[]) => join(folder, ...names)
const localPaths = createLocalPaths({
  roots: () => [at('docs'), at('linked'), at('one.json')],
  never: [at('docs', 'data')],
})
const everything = createLocalPaths({ roots: () => ['/'], never: [] })

beforeAll(async () => {
  for (const name of ['docs/guide', 'docs/data/files', 'docs-private', 'mounted', 'outside']) {
    await mkdir(at(name), { recursive: true })
  }
  for (const name of [
    'docs/a.md',
    'docs/data/key',
    'docs-private/a.md',
    'mounted/a.md',
    'outside/a.md',
    'one.json',
  ]) {
    await writeFile(at(name), 'Text.')
  }
  await symlink(at('mounted'), at('linked'))
  await symlink(at('outside'), at('docs/out'))
  await symlink(at('outside/none'), at('docs/dangling'))
  await symlink(at('docs/guide'), at('docs/in'))
  await symlink(at('docs/data'), at('docs/guide/data-by-link'))
  await link(at('docs/a.md'), at('docs/same.md'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('docs/pipe')])
})
afterAll(() => rm(folder, { recursive: true }))

verifies(
  'sources.local-paths',
  'files and folders in a listed folder are found by their real path',
  async () => {
    expect(await localPaths.find(at('docs'))).toMatchObject({ path: at('docs'), isFolder: true })
    expect(await localPaths.find(`file://${at('docs/a.md')}`)).toMatchObject({
      path: at('docs/a.md'),
      isFolder: false,
    })
    expect(await localPaths.find(at('docs/in/../a.md'))).toMatchObject({ path: at('docs/a.md') })
    expect(await localPaths.find(at('docs/in'))).toMatchObject({ path: at('docs/guide') })
    expect(await localPaths.find(at('linked/a.md'))).toMatchObject({ path: at('mounted/a.md') })
    expect(await localPaths.find(at('one.json'))).toMatchObject({ path: at('one.json') })
    expect(await localPaths.find(at('docs/none/at/all'))).toBeUndefined()
  },
)

test.each([
  at('outside/a.md'),
  at('outside/none'),
  at('docs-private/a.md'),
  at('docs/../outside/a.md'),
  at('docs/out/a.md'),
  at('docs/out/none'),
  at('docs/out/none/at/all'),
  at('docs/dangling'),
  at('docs/data'),
  at('docs/data/key'),
  at('docs/data/none/../key'),
  at('docs/guide/data-by-link'),
  at('docs/pipe'),
  at('one.json.bak'),
  `file://${at('outside/a.md')}`,
  'file:///etc/passwd',
  'file://host/etc/passwd',
  'file:///%2e%2e/etc/passwd',
  'file:///etc%2Fpasswd',
  '/etc/passwd',
  '/proc/self/cwd',
  'docs/a.md',
  '~/docs',
  '.',
  '',
  `${at('docs/a.md')}\0.md`,
  `/${at('docs/a.md')}`,
  '\\\\host\\share',
  '\\\\?\\C:\\docs',
  'C:\\docs',
  'C:docs',
])('%j is refused with the same message, whether or not it exists', async (path) => {
  const refused = localPaths.find(path)
  await expect(refused).rejects.toBeInstanceOf(LocalPathRefused)
  await expect(refused).rejects.toThrow(new LocalPathRefused().message)
})

test.each(['/proc/self/environ', '/proc/self/root/proc/1', '/sys/kernel', '/dev/null', '/dev/../proc/1'])(
  '%j is refused even if every folder is listed',
  async (path) => {
    await expect(everything.find(path)).rejects.toBeInstanceOf(LocalPathRefused)
  },
)

verifies(
  'sources.local-paths',
  'only regular files within the listed folder are opened, and symbolic links are not followed',
  async () => {
    const place = await localPaths.find(at('docs'))
    if (place === undefined) throw new Error('there are no docs')
    const { handle } = await localPaths.openFile(place, at('docs/a.md'))
    await handle.close()
    for (const name of ['docs/pipe', 'docs/dangling', 'docs/guide', 'outside/a.md', 'docs/out/a.md']) {
      await expect(localPaths.openFile(place, at(name))).rejects.toThrow(/CITEWELL_LOCAL_PATHS|ENOENT|ELOOP/)
    }
    await expect(localPaths.enter(place, at('docs/data'))).rejects.toBeInstanceOf(LocalPathRefused)
    await expect(localPaths.enter(place, at('docs/out'))).rejects.toBeInstanceOf(LocalPathRefused)
    await expect(localPaths.enter(place, at('outside/none'))).rejects.toBeInstanceOf(LocalPathRefused)
  },
)
