import { verifies } from '@citewell/spec/verifies'
import { setTimeout as wait } from 'node:timers/promises'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import {
  addTreeBomb,
  createHostileWorld,
  repositoryIn,
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

const read = async (url: string, ref: string | null, signal = new AbortController().signal) => {
  const connector = createRepositoryConnector({
    outbound,
    parse: (input, given) => parsing.parse(input, given),
    localPaths: createLocalPaths({ roots: () => [world.root], never: [] }),
    knownHosts: '/nowhere',
  })
  const config = { url, ref, include: [], exclude: [], site_url: null }
  return await createSourceReader(connector)(config, { signal })
}

verifies(
  'sources.bounded-git',
  'nested trees are refused at the limit of names, within bounded memory',
  async () => {
    for (const [width, levels] of [
      [150, 3],
      [30, 9],
    ] as const) {
      const repository = await repositoryIn(world.root, `bomb-${width}`, '# A\n\nText.')
      await addTreeBomb(repository, width, levels)
      const before = process.memoryUsage().rss
      const reading = read(repository.folder, 'main')
      await expect(reading).rejects.toThrow(/more than 100000 files|longer than 32 MiB/)
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
    }
  },
)

test('a tree that is nested too deeply fails with a readable message', async () => {
  const repository = await repositoryIn(world.root, 'deep', '# A\n\nText.')
  await addTreeBomb(repository, 1, 400)
  // Its only page has a path of more than a thousand characters.
  await expect(read(repository.folder, 'main')).rejects.toThrow(/No Markdown/)
})

verifies(
  'sources.bounded-git',
  'a page takes at most 200 includes, only of text, and each file is read once',
  async () => {
    const include = (name: string) => `<!--@include: ./${name}-->\n`
    const repository = await repositoryIn(world.root, 'docs', '# A\n\nText.')
    const files = {
      'bomb.md': `# Bomb\n\n${include('part.txt').repeat(3_000)}`,
      'part.txt': 'Said in a part.\n',
      'odd.md': [
        '# Odd',
        ...['.env', 'app.env', 'server.pem', 'id_rsa', 'key.txt', 'credentials.json', 'data.bin'].map(
          include,
        ),
        '<<< ./app.env',
        '<<< ./.env',
      ].join('\n\n'),
      'page.rst': 'Page\n====\n\n.. literalinclude:: app.env\n\n.. include:: .env\n',
      '.env': 'KEY=CANARY-1',
      'app.env': 'KEY=CANARY-2',
      'server.pem': 'CANARY-3',
      id_rsa: 'CANARY-4',
      'key.txt': '-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY-5\n',
      'credentials.json': '{"key": "CANARY-6"}',
      'data.bin': 'CANARY-7',
    }
    await repository.git('config', 'core.excludesFile', '/dev/null')
    for (const [name, text] of Object.entries(files)) await writeFile(join(repository.folder, name), text)
    await repository.git('add', '--all', '--force')
    await repository.git('commit', '--quiet', '-m', 'Hostile')
    const reading = await read(repository.folder, 'main')
    // The key is a document here: the owner's text under a text file name counts as text.
    const pages = reading.items.filter((item) => item.kind === 'document' && item.externalId !== 'key.txt')
    expect(JSON.stringify(pages)).not.toContain('CANARY')
    const bomb = JSON.stringify(
      pages.find((item) => item.kind === 'document' && item.externalId === 'bomb.md'),
    )
    expect(bomb.split('Said in a part.').length - 1).toBe(200)
  },
)

verifies('sources.bounded-git', 'a cancelled sync ends soon, however much its pages include', async () => {
  const repository = await repositoryIn(world.root, 'docs', '# A\n\nText.')
  await writeFile(join(repository.folder, 'big.txt'), 'Said once. '.repeat(850_000))
  for (let at = 0; at < 20; at += 1) {
    const page = `# Page ${at}\n\n${'<!--@include: ./big.txt-->\n'.repeat(3_000)}`
    await writeFile(join(repository.folder, `page${at}.md`), page)
  }
  const cancel = new AbortController()
  const reading = read(repository.folder, null, cancel.signal)
  const ended = reading.then(String, String)
  await wait(500)
  const cancelledAt = performance.now()
  cancel.abort(new Error('cancelled by the test'))
  await ended
  expect(performance.now() - cancelledAt).toBeLessThan(5_000)
})
