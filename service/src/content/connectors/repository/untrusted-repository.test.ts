import { verifies } from '@citewell/spec/verifies'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { TestRepository } from '../../../../test/git-server.ts'
import {
  addSignedCommit,
  configurationThatRuns,
  createHostileWorld,
  repositoryIn,
  SECRET,
  type HostileWorld,
} from '../../../../test/hostile-repository.ts'
import { createKeptParsing } from '../../../../test/kept-parsing.ts'
import { createSourceReader } from '../../../../test/read-source.ts'
import { createLocalPaths } from '../../../platform/files/local-paths.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { createRepositoryConnector } from './repository.ts'

const parsing = createKeptParsing()
let world: HostileWorld
const outbound = createOutbound({ allowPrivateNetwork: true })

afterAll(async () => {
  await outbound.close()
})
beforeEach(async () => {
  world = await createHostileWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const read = async (url: string, ref: string | null = null) => {
  const connector = createRepositoryConnector({
    outbound,
    parse: (input, signal) => parsing.parse(input, signal),
    localPaths: createLocalPaths({ roots: () => [world.root], never: [] }),
    knownHosts: '/nowhere',
  })
  return await createSourceReader(connector)({ url, ref, include: [], exclude: [], site_url: null })
}

verifies(
  'sources.foreign-git',
  'programs named by the configuration of a repository are not run, and its pages are read',
  async () => {
    const repository = await repositoryIn(world.root, 'docs', '# A\n\nText.')
    await addSignedCommit(repository)
    const gitFolder = join(repository.folder, '.git')
    await writeFile(join(gitFolder, 'config'), configurationThatRuns(world.program))
    await mkdir(join(gitFolder, 'hooks'), { recursive: true })
    for (const hook of [
      'post-checkout',
      'reference-transaction',
      'post-index-change',
      'fsmonitor-watchman',
    ]) {
      await cp(world.program, join(gitFolder, 'hooks', hook))
    }
    await writeFile(join(gitFolder, 'info', 'attributes'), '* filter=x diff=x\n')
    expect((await read(repository.folder, 'main')).documents).toEqual(['page.md'])
    await rename(gitFolder, join(world.root, 'bare'))
    expect((await read(join(world.root, 'bare'))).documents).toEqual(['page.md'])
    expect(world.wasRun()).toBe(false)
  },
)

verifies(
  'sources.foreign-git',
  'a missing object is never fetched, even from a promisor remote',
  async () => {
    const repository = await repositoryIn(world.root, 'docs', '# A\n\nText.')
    const blob = (await repository.git('rev-parse', 'HEAD:page.md')).trim()
    await rm(join(repository.folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
    await writeFile(join(repository.folder, '.git', 'config'), configurationThatRuns(world.program))
    expect((await read(repository.folder, 'main')).failed).toEqual({
      'page.md': 'it is not in the repository',
    })
    expect(world.wasRun()).toBe(false)
  },
)

test('objects are borrowed only from within the listed folders', async () => {
  const elsewhere = await repositoryIn(world.outside, 'private', `# Private\n\n${SECRET}`)
  const shared = await repositoryIn(world.root, 'shared', '# Shared\n\nText.')
  const borrowing = async (name: string, lender: TestRepository) => {
    const repository = await repositoryIn(world.root, name, '# Own\n\nText.')
    const commit = (await lender.git('rev-parse', 'HEAD')).trim()
    const gitFolder = join(repository.folder, '.git')
    await writeFile(join(gitFolder, 'objects', 'info', 'alternates'), `${lender.folder}/.git/objects\n`)
    await writeFile(join(gitFolder, 'refs', 'heads', 'main'), `${commit}\n`)
    return await read(repository.folder, 'main')
  }
  expect((await borrowing('within', shared)).documents).toEqual(['page.md'])
  await expect(borrowing('beyond', elsewhere)).rejects.toThrow(/borrows objects/)
})

test('a git folder elsewhere is used only if it is within the listed folders', async () => {
  const elsewhere = await repositoryIn(world.outside, 'private', `# Private\n\n${SECRET}`)
  const shared = await repositoryIn(world.root, 'shared', '# Shared\n\nText.')
  await shared.git('worktree', 'add', '--quiet', '-b', 'other', join(world.root, 'tree'))
  expect((await read(join(world.root, 'tree'), 'other')).documents).toEqual(['page.md'])

  await mkdir(join(world.root, 'pointer'))
  await writeFile(join(world.root, 'pointer', '.git'), `gitdir: ${elsewhere.folder}/.git\n`)
  await expect(read(join(world.root, 'pointer'), 'main')).rejects.toThrow(/CITEWELL_LOCAL_PATHS/)

  await writeFile(join(shared.folder, '.git', 'worktrees', 'tree', 'commondir'), `${elsewhere.folder}/.git\n`)
  await expect(read(join(world.root, 'tree'), 'main')).rejects.toThrow(/CITEWELL_LOCAL_PATHS/)
})

test.each(['objects', 'refs', 'objects/pack', 'HEAD', 'packed-refs'])(
  'a symbolic link in place of %s of a git folder is not followed out of the listed folders',
  async (name) => {
    const elsewhere = await repositoryIn(world.outside, 'private', `# Private\n\n${SECRET}`)
    await elsewhere.git('gc', '--quiet')
    const repository = await repositoryIn(world.root, 'docs', '# Own\n\nText.')
    const gitFolder = join(repository.folder, '.git')
    const commit = (await elsewhere.git('rev-parse', 'HEAD')).trim()
    if (name !== 'HEAD' && name !== 'packed-refs') {
      await writeFile(join(gitFolder, 'refs', 'heads', 'main'), `${commit}\n`)
    }
    await rm(join(gitFolder, name), { recursive: true, force: true })
    await symlink(join(elsewhere.folder, '.git', name), join(gitFolder, name))
    const reading = await read(repository.folder, name === 'packed-refs' ? commit : 'main').catch(String)
    expect(JSON.stringify(reading)).not.toContain(SECRET)
    expect(JSON.stringify(reading)).not.toContain('Private')
  },
)

test('a file that is not a bundle is not opened as a repository', async () => {
  const elsewhere = await repositoryIn(world.outside, 'private', `# Private\n\n${SECRET}`)
  const file = join(world.root, 'docs.bundle')
  await writeFile(file, `gitdir: ${elsewhere.folder}/.git\n`)
  await expect(read(file)).rejects.toThrow(/neither a folder nor a bundle/)
})

test('the copy of a repository is removed afterwards', async () => {
  const repository = await repositoryIn(world.root, 'docs', '# Own\n\nText.')
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('citewell-git-'))
  await read(repository.folder, 'main')
  await read(repository.folder, 'nowhere').catch(() => {})
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith('citewell-git-'))
  expect(left.filter((name) => !before.includes(name))).toEqual([])
  expect(existsSync(repository.folder)).toBe(true)
})
