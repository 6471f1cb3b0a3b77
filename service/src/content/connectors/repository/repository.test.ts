import { verifies } from '@citewell/spec/verifies'
import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createTestRepository, startGitServer } from '../../../../test/git-server.ts'
import { createKeptParsing } from '../../../../test/kept-parsing.ts'
import { createSourceReader, type SourceReading } from '../../../../test/read-source.ts'
import { createLocalPaths } from '../../../platform/files/local-paths.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure } from '../connector.ts'
import { createRepositoryConnector, type RepositoryConfig } from './repository.ts'

const parsing = createKeptParsing()
// Reachable by host name only, which also tests that git is pinned to the checked addresses: only this service can resolve the name.
const outbound = createOutbound({ allowPrivateNetwork: ['git.test'], lookup: async () => ['127.0.0.1'] })
// A separate folder: clones of other processes must not be mistaken for leftovers of this file.
vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'citewell-repository-test-')))

afterAll(async () => {
  await outbound.close()
  vi.unstubAllEnvs()
})

const configOf = (given: Partial<RepositoryConfig> & { url: string }): RepositoryConfig => ({
  ref: null,
  include: [],
  exclude: [],
  site_url: null,
  ...given,
})
const newReader = (...roots: string[]) =>
  createSourceReader(
    createRepositoryConnector({
      outbound,
      parse: (input, signal) => parsing.parse(input, signal),
      localPaths: createLocalPaths({ roots: () => roots, never: [] }),
      knownHosts: '/nowhere',
    }),
  )
const named = (origin: string) => origin.replace('127.0.0.1', 'git.test')
const addresses = ({ items }: SourceReading) =>
  Object.fromEntries(items.flatMap((item) => (item.kind === 'document' ? [[item.externalId, item.url]] : [])))
const modifiedTimes = ({ items }: SourceReading) =>
  items.flatMap((item) => (item.kind === 'document' ? [item.modifiedAt] : []))
const clones = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('citewell-git-'))

const DOCS = {
  'README.md': '# Read me\n\nAbout it all.',
  'docs/guide/start.md': '# Start\n\nHow to start.',
  'docs/guide/index.md': '# Guide\n\nAll guides.',
  'docs/reference.rst': 'Reference\n=========\n\nAll of it.',
  'docs/notes.ipynb': JSON.stringify({
    cells: [{ cell_type: 'markdown', source: ['# Notes\n', '\n', 'Some notes.'] }],
  }),
  'docs/_part.md': 'A part of others.',
  'docs/_part.adoc': 'A part of others.',
  'docs/logo.svg': '<svg/>',
  'requirements.txt': 'flask',
  'node_modules/x/README.md': '# Not ours',
}

verifies(
  'sources.repository',
  'a repository is read over http, and unchanged files are not parsed again',
  async () => {
    await using repository = await createTestRepository(DOCS)
    await using server = await startGitServer({ '/docs.git': repository.folder })
    const read = newReader()
    const config = configOf({ url: `${named(server.origin)}/docs.git` })
    const first = await read(config)
    expect(first.documents).toEqual([
      'README.md',
      'docs/guide/index.md',
      'docs/guide/start.md',
      'docs/notes.ipynb',
      'docs/reference.rst',
    ])
    expect(first.leftOut).toEqual({
      'docs/_part.md': 'not documentation by its name',
      'docs/_part.adoc': 'not documentation by its name',
      'docs/logo.svg': 'not a document',
      'requirements.txt': 'not documentation by its name',
      'node_modules/x/README.md': 'not documentation by its name',
    })
    await repository.commit({ 'docs/guide/start.md': '# Start\n\nAnother way.' }, { remove: ['README.md'] })
    const second = await read(config)
    expect(second.documents).not.toContain('README.md')
    expect(second.unchanged).toEqual(['docs/guide/index.md', 'docs/notes.ipynb', 'docs/reference.rst'])
    // What is fetched has no history that would tell when a file changed.
    expect(modifiedTimes(second)).toEqual([undefined])
    expect(await clones()).toEqual([])
  },
)

verifies('sources.repository', 'a source can name a branch, a tag or a commit', async () => {
  await using repository = await createTestRepository({ 'a.md': '# First\n\nOne.' })
  await repository.git('tag', 'v1.0')
  const commit = (await repository.git('rev-parse', 'HEAD')).trim()
  await repository.commit({ 'b.md': '# Second\n\nTwo.' }, { branch: 'release/2.x' })
  await using server = await startGitServer({ '/docs.git': repository.folder })
  const url = `${named(server.origin)}/docs.git`
  expect((await newReader()(configOf({ url, ref: 'release/2.x' }))).documents).toEqual(['a.md', 'b.md'])
  expect((await newReader()(configOf({ url, ref: 'v1.0' }))).documents).toEqual(['a.md'])
  expect((await newReader()(configOf({ url, ref: commit }))).documents).toEqual(['a.md'])
  const unknown = newReader()(configOf({ url, ref: 'nowhere' }))
  await expect(unknown).rejects.toThrow(/no branch, tag or commit "nowhere"/)
})

test('a ref that looks like an option of git is refused', async () => {
  await using repository = await createTestRepository({ 'a.md': '# First\n\nOne.' })
  const bare = join(repository.folder, 'bare.git')
  await repository.git('clone', '--quiet', '--bare', '.', bare)
  for (const ref of ['--name-only', '-d', `--output=${repository.folder}/written`]) {
    const reading = newReader(repository.folder)(configOf({ url: bare, ref }))
    await expect(reading).rejects.toThrow('is not the name of a branch, a tag or a commit')
  }
  expect(await readdir(repository.folder)).not.toContainEqual(expect.stringContaining('written'))
})

test('a redirect is followed by this service, and credentials are sent to the repository only', async () => {
  await using repository = await createTestRepository({ 'a.md': '# A\n\nText.' })
  const authorization = `Basic ${Buffer.from('me:token').toString('base64')}`
  await using server = await startGitServer(
    { '/new.git': repository.folder },
    { redirects: { '/old.git': '/new.git' }, authorization },
  )
  const config = configOf({ url: `${named(server.origin)}/old.git` })
  const credentials = { user: 'me', password: 'token' }
  expect((await newReader()(config, { credentials })).documents).toEqual(['a.md'])
  const without = newReader()(configOf({ url: `${named(server.origin)}/new.git` }))
  await expect(without).rejects.toThrow(/no repository .* without a sign-in \(401\)/)
})

verifies(
  'sources.repository',
  'bundles and folders are read where the operator allows it, and links out of them are not followed',
  async () => {
    await using repository = await createTestRepository({ 'a.md': '# A\n\nText.' })
    await repository.git('bundle', 'create', 'all.bundle', 'main')
    await symlink('/etc/hostname', join(repository.folder, 'link.md'))
    await symlink('/etc', join(repository.folder, 'etc'))
    await repository.commit({ 'b.md': '# B\n\nText.' })
    await mkdir(join(repository.folder, 'plain'))
    await writeFile(join(repository.folder, 'plain', 'c.md'), '# C\n\nNot committed.')

    const bundle = await newReader(repository.folder)(
      configOf({ url: join(repository.folder, 'all.bundle') }),
    )
    expect(bundle.documents).toEqual(['a.md'])
    const folder = await newReader(repository.folder)(configOf({ url: repository.folder }))
    expect(folder.documents).toEqual(['a.md', 'b.md', 'plain/c.md'])
    const committed = await newReader(repository.folder)(configOf({ url: repository.folder, ref: 'main' }))
    expect(committed.documents).toEqual(['a.md', 'b.md'])
    expect(modifiedTimes(committed)).toEqual([expect.any(Date), expect.any(Date)])
    const refused = newReader()(configOf({ url: repository.folder }))
    await expect(refused).rejects.toThrow(/CITEWELL_LOCAL_PATHS/)
  },
)

test('citations link to the rendered site or the forge, or give the path', async () => {
  await using repository = await createTestRepository(DOCS)
  await using server = await startGitServer({ '/docs.git': repository.folder })
  const url = `${named(server.origin)}/docs.git`
  expect(
    addresses(await newReader()(configOf({ url, site_url: 'https://docs.example.com/v2/' }))),
  ).toMatchObject({
    'docs/guide/index.md': 'https://docs.example.com/v2/guide/',
    'docs/guide/start.md': 'https://docs.example.com/v2/guide/start',
    'README.md': 'README.md',
  })
  const html = configOf({
    url,
    include: ['/docs/guide/**'],
    site_url: 'https://docs.example.com/{path}.html',
  })
  expect(addresses(await newReader()(html))).toEqual({
    'docs/guide/index.md': 'https://docs.example.com/index.html',
    'docs/guide/start.md': 'https://docs.example.com/start.html',
  })
})

test('includes of a page are expanded, and a changed include changes the page', async () => {
  await using repository = await createTestRepository({
    'docs/page.md': '# Page\n\n<<< @/code/a.ts#main{2} [a.ts]\n\n<!--@include: ./_part.md-->\n',
    'docs/_part.md': 'Said in a part.',
    'docs/code/a.ts': '// #region main\nconst answer = 42\n// #endregion main\nconst hidden = 1\n',
    'docs/page.rst': 'Page\n====\n\n.. literalinclude:: code/a.ts\n\n.. include:: ../../../../etc/hostname\n',
  })
  const read = newReader(repository.folder)
  const config = configOf({ url: repository.folder })
  const words = JSON.stringify((await read(config)).items)
  expect(words).toContain('Said in a part.')
  expect(words).toContain('const answer = 42')
  await repository.commit({ 'docs/_part.md': 'Said otherwise.' })
  const second = await read(config)
  expect(second.unchanged).toEqual(['docs/page.rst'])
  expect(JSON.stringify(second.items)).toContain('Said otherwise.')
})

test('includes of AsciiDoc are expanded, in text and in listings, with the names of Antora', async () => {
  const antora = 'docs/modules/ROOT'
  await using repository = await createTestRepository({
    [`${antora}/pages/page.adoc`]: [
      '= Page',
      ':code: example$code',
      'include::partial$note.adoc[leveloffset=+1]',
      '== Use',
      '----\ninclude::{code}/a.ts[tag=main]\n----',
      'include::missing.adoc[]',
      'include::../../../../../etc/hostname[]',
      'include::other:partial$lines.txt[lines=2..3]',
    ].join('\n\n'),
    [`${antora}/partials/note.adoc`]: '= Noted\n\nSaid in a part.',
    [`${antora}/examples/code/a.ts`]: '// tag::main[]\nconst answer = 42\n// end::main[]\nconst hidden = 1\n',
    [`${antora}/nav.adoc`]: '* xref:page.adoc[]',
    'docs/modules/other/partials/lines.txt': 'line one\nline two\nline three\nline four',
  })
  const read = newReader(repository.folder)
  const config = configOf({ url: repository.folder })
  const first = await read(config)
  expect(first.documents).toEqual([`${antora}/pages/page.adoc`])
  const [page] = first.items.filter((item) => item.kind === 'document')
  expect(page?.document).toEqual({
    title: 'Page',
    language: undefined,
    blocks: [
      { kind: 'heading', depth: 2, text: 'Noted', anchor: 'noted' },
      { kind: 'paragraph', markdown: 'Said in a part.' },
      { kind: 'heading', depth: 2, text: 'Use', anchor: 'use' },
      { kind: 'code', language: undefined, code: 'const answer = 42' },
      { kind: 'paragraph', markdown: 'line two line three' },
    ],
  })
  await repository.commit({ [`${antora}/partials/note.adoc`]: '= Noted\n\nSaid otherwise.' })
  expect(JSON.stringify((await read(config)).items)).toContain('Said otherwise.')
})

test.each([
  ['', 'not an address'],
  ['--upload-pack=touch /tmp/owned', 'not an address'],
  ['ext::sh -c "touch /tmp/owned"', 'helper program'],
  ['fd::17', 'helper program'],
  ['https://a.example/x\n--upload-pack=y', 'control characters'],
  ['ssh://-oProxyCommand=touch/x', 'accept its host|not an address'],
  ['git@-oProxyCommand=touch:x', 'accept its host'],
  ['-oProxyCommand=touch@git.test:x', 'not an address'],
  ['ssh://-oProxyCommand=touch@git.test/x', 'name before its @'],
  ['git@127.0.0.1:owner/name.git', 'private network'],
  ['git@[::1]:owner/name.git', 'private network'],
  ['ssh://git@127.0.0.1:4100/x', 'private network'],
  ['ssh://git@2130706433/x', 'private network'],
  ['ssh://git@0x7f000001/x', 'private network'],
  ['ssh://git@127%2E0%2E0%2E1/x', 'private network'],
  ['ssh://git@[::ffff:127.0.0.1]/x', 'private network'],
  ['ssh://git@169.254.169.254/x', 'metadata'],
  ['ssh://git@1.1.1.1:2222/x', 'may use the ports'],
  ['user:token@github.com/owner/name.git', 'write it as'],
  ['https:/user:token@git.test/x.git', 'two slashes'],
  ['file:///etc', 'CITEWELL_LOCAL_PATHS'],
  ['FILE://localhost/etc', 'CITEWELL_LOCAL_PATHS'],
  ['file://host/share', 'CITEWELL_LOCAL_PATHS'],
  ['/etc', 'CITEWELL_LOCAL_PATHS'],
  ['/no/such/folder', 'CITEWELL_LOCAL_PATHS'],
  ['~/x', 'CITEWELL_LOCAL_PATHS'],
  ['../x', 'CITEWELL_LOCAL_PATHS'],
  ['C:\\x', 'CITEWELL_LOCAL_PATHS'],
  ['\\\\host\\share', 'CITEWELL_LOCAL_PATHS'],
  ['//host/share', 'CITEWELL_LOCAL_PATHS'],
  ['ftp://a.example/x', 'not one of https'],
  ['http://127.0.0.1:9/x.git', 'private network'],
  ['http://169.254.169.254/x.git', 'metadata'],
  ['git://10.0.0.1/x.git', 'private network'],
])('%j is refused with a readable message', async (url, words) => {
  const reading = newReader()(configOf({ url }))
  await expect(reading).rejects.toThrow(new RegExp(words))
  await expect(reading).rejects.toBeInstanceOf(SourceFailure)
})

test.each(['-x', '--upload-pack=x', 'a..b', 'a b', '@{-1}', 'a:b'])('the ref %j is refused', async (ref) => {
  await expect(newReader()(configOf({ url: 'http://git.test/x.git', ref }))).rejects.toThrow(
    /not the name of a branch/,
  )
})

test('an address that is not a repository fails with a readable message', async () => {
  await using server = await startGitServer({})
  const reading = newReader()(configOf({ url: `${named(server.origin)}/nothing.git` }))
  await expect(reading).rejects.toThrow(/no repository .*\(404\)/)
  const empty = newReader(tmpdir())(configOf({ url: join(tmpdir(), 'citewell-not-there') }))
  await expect(empty).rejects.toThrow(/no file or folder at/)
})

test('files that are stored in Git LFS are left out, with the reason', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 12345\n'
  await using repository = await createTestRepository({
    'a.md': '# A\n\nText.',
    'b.md': pointer,
    'manual.pdf': pointer,
  })
  const reading = await newReader(repository.folder)(configOf({ url: repository.folder }))
  expect(reading.documents).toEqual(['a.md'])
  const reason = 'its content is in Git LFS, which is not read'
  expect(reading).toMatchObject({ skipped: { 'b.md': reason, 'manual.pdf': reason }, failed: {} })
})
