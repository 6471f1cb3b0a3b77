import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import { SourceFailure } from '../connector.ts'
import type { FileTree } from './file-tree.ts'
import type { GitAddress } from './git-address.ts'
import { openCommit } from './git-tree.ts'
import { GitError, runGit, type GitRun } from './git.ts'

/** What git needs to reach one address and nothing else. */
interface Way {
  address: string
  run: Omit<GitRun, 'signal'>
  isShallow: boolean
}

const MAX_PACK_BYTES = 2_147_483_648
const WATCH_EVERY_MS = 1_000

const basicOf = (user: string, password: string) =>
  user === '' && password === ''
    ? undefined
    : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address)

/**
 * Asks a web address whether a repository is there, through the guarded way out, and follows its redirects; git itself then
 * follows none, and is pinned to the addresses that were checked.
 */
async function wayOverWeb(
  given: Extract<GitAddress, { kind: 'web' }>,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Way> {
  const authorization = basicOf(given.user, given.password)
  const base = given.url.href.replace(/\/+$/, '')
  const response = await outbound.fetchOutbound(`${base}/info/refs?service=git-upload-pack`, {
    chosenBy: 'customer',
    headers: { 'git-protocol': 'version=2', ...(authorization !== undefined && { authorization }) },
    signal,
    followRedirects: true,
  })
  await response.discard()
  if (response.status === 401 || response.status === 403 || response.status === 404) {
    throw new SourceFailure(
      `There is no repository at ${base} that may be read without a sign-in (${response.status}). Check the address; for a private one put a token into it (https://user:token@…).`,
    )
  }
  const isGit =
    response.headers.get('content-type')?.startsWith('application/x-git-upload-pack-advertisement') === true
  if (response.status !== 200 || !isGit) {
    throw new SourceFailure(
      `There is no git repository at ${base}: the server answered ${response.status} with something else.`,
    )
  }
  const url = response.url
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
  const addresses = await outbound.checkHost(url.hostname, port, 'customer')
  return {
    address: url.href.replace(/\/info\/refs\?.*$/, ''),
    isShallow: true,
    run: {
      settings: {
        [`protocol.${url.protocol.slice(0, -1)}.allow`]: 'always',
        'http.curloptResolve': `${url.hostname}:${port}:${addresses.map(bracketed).join(',')}`,
      },
      secretSettings:
        authorization === undefined ? {} : { 'http.extraHeader': `Authorization: ${authorization}` },
    },
  }
}

/** Git's own protocol has no redirects and no names of hosts that matter: the checked address takes the name's place. */
async function wayOverGit({ url }: Extract<GitAddress, { kind: 'git' }>, outbound: Outbound): Promise<Way> {
  const [first] = await outbound.checkHost(url.hostname, Number(url.port || 9418), 'customer')
  const port = url.port === '' ? '' : `:${url.port}`
  return {
    address: `git://${bracketed(first ?? '')}${port}${url.pathname}`,
    isShallow: true,
    run: { settings: { 'protocol.git.allow': 'always' } },
  }
}

async function wayTo(address: GitAddress, outbound: Outbound, signal: AbortSignal): Promise<Way> {
  if (address.kind === 'web') return await wayOverWeb(address, outbound, signal)
  if (address.kind === 'git') return await wayOverGit(address, outbound)
  if (address.kind === 'ssh') {
    await outbound.checkHost(address.host, address.port, 'operator')
    return {
      address: address.address,
      isShallow: true,
      run: { settings: { 'protocol.ssh.allow': 'always' } },
    }
  }
  return { address: address.path, isShallow: false, run: { settings: { 'protocol.file.allow': 'always' } } }
}

/** The branch to read where none was named: the one that the repository names, or its only or usual one. */
async function defaultRef(folder: string, way: Way, signal: AbortSignal): Promise<string> {
  const listing = await runGit(folder, ['ls-remote', '--', way.address], { ...way.run, signal })
  const names = listing.split('\n').map((line) => line.split('\t')[1] ?? '')
  if (names.includes('HEAD')) return 'HEAD'
  const heads = names.filter((name) => name.startsWith('refs/heads/'))
  const usual =
    heads.length === 1
      ? heads[0]
      : ['refs/heads/main', 'refs/heads/master'].find((name) => heads.includes(name))
  if (usual !== undefined) return usual
  const branches = heads.map((name) => name.slice('refs/heads/'.length)).join(', ')
  throw new SourceFailure(
    branches === ''
      ? 'The repository is empty.'
      : `The repository has no main branch. Set ref to one of: ${branches}.`,
  )
}

/** Ends the fetch when it has brought more than this service wants to hold. */
function watchSize(folder: string, end: (reason: SourceFailure) => void): NodeJS.Timeout {
  const packs = join(folder, 'objects', 'pack')
  return setInterval(() => {
    const look = async () => {
      const names = await readdir(packs)
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(packs, name))).size))
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      if (bytes > MAX_PACK_BYTES) end(new SourceFailure('The repository is larger than 2 GiB.'))
    }
    look().catch(() => {})
  }, WATCH_EVERY_MS)
}

function explain(error: unknown, name: string, ref: string | undefined): unknown {
  if (error instanceof OutboundFailure)
    return new SourceFailure(`${name} could not be read: ${error.message}`, { cause: error })
  if (!(error instanceof GitError)) return error
  if (error.isMissing)
    return new SourceFailure(`There is no branch, tag or commit "${ref ?? ''}" in ${name}.`, { cause: error })
  const said = error.message.split('\n').findLast((line) => /^(fatal|error): /.test(line)) ?? error.message
  return new SourceFailure(`${name} could not be read: ${said.replace(/^(fatal|error): /, '')}.`, {
    cause: error,
  })
}

/** Fetches one commit of a repository, or bundle, into a folder of its own, which goes away when the tree is closed. */
export async function fetchRepository(
  address: GitAddress,
  given: { ref: string | undefined; name: string; outbound: Outbound; signal: AbortSignal },
): Promise<FileTree> {
  const { ref, name, outbound } = given
  const folder = await mkdtemp(join(tmpdir(), 'citewell-git-'))
  const onClose = async () => await rm(folder, { recursive: true, force: true })
  const ending = new AbortController()
  const signal = AbortSignal.any([given.signal, ending.signal])
  try {
    const way = await wayTo(address, outbound, signal)
    await runGit(folder, ['init', '--bare', '--quiet', '.'], { signal })
    const wanted = ref ?? (await defaultRef(folder, way, signal))
    const depth = way.isShallow ? ['--depth=1'] : []
    const fetch = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-recurse-submodules',
      ...depth,
      '--',
      way.address,
      wanted,
    ]
    const watch = watchSize(folder, (reason) => ending.abort(reason))
    try {
      await runGit(folder, fetch, { ...way.run, signal })
    } finally {
      clearInterval(watch)
    }
    return await openCommit(folder, 'FETCH_HEAD', { signal, onClose })
  } catch (error) {
    await onClose()
    throw explain(error, name, ref)
  }
}
