import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type SourceCredentials } from '../connector.ts'
import { explainGit } from './explain-git.ts'
import type { FileTree } from './file-tree.ts'
import type { GitAddress } from './git-address.ts'
import { openCommit } from './git-tree.ts'
import { GitError, runGit } from './git.ts'
import { initRepository } from './init-repository.ts'
import { makeTemporaryFolder, watchSize } from './temporary-folder.ts'
import { gitTransport, sshTransport, type Transport } from './git-transport.ts'
import { httpTransport } from './http-transport.ts'

const LISTED_BRANCHES = 20

export interface FetchGiven {
  ref: string | undefined
  name: string
  credentials: SourceCredentials
  outbound: Outbound
  /** The known_hosts file of ssh. */
  knownHosts: string
  signal: AbortSignal
}

/** The branch to read if none is configured and HEAD names none: the only one, or the usual name. */
async function branchWithoutHead(folder: string, transport: Transport, signal: AbortSignal): Promise<string> {
  const listing = await runGit(folder, ['ls-remote', '--', transport.address], { ...transport.run, signal })
  const names = listing.split('\n').map((line) => line.split('\t')[1] ?? '')
  const heads = names.filter((name) => name.startsWith('refs/heads/'))
  const usual =
    heads.length === 1
      ? heads[0]
      : ['refs/heads/main', 'refs/heads/master'].find((name) => heads.includes(name))
  if (usual !== undefined) return usual
  const branches = heads.slice(0, LISTED_BRANCHES).map((name) => name.slice('refs/heads/'.length))
  throw new SourceFailure(
    branches.length === 0
      ? 'The repository is empty.'
      : `The repository has no main branch. Set ref to one of: ${branches.join(', ')}.`,
  )
}

async function transportFor(
  address: Exclude<GitAddress, { kind: 'local' }>,
  given: FetchGiven & { folder: string },
): Promise<Transport> {
  switch (address.kind) {
    case 'web':
      return await httpTransport(address, given.credentials, given.outbound, given.signal)
    case 'git':
      return await gitTransport(address, given.outbound)
    case 'ssh':
      return await sshTransport(address, given.credentials, given)
  }
}

/** Fetches one commit into `folder`, and opens it. */
export async function fetchCommit(
  transport: Transport,
  given: { folder: string; ref: string | undefined; signal: AbortSignal; onClose: () => Promise<void> },
): Promise<FileTree> {
  const { folder, ref } = given
  const ending = new AbortController()
  const signal = AbortSignal.any([given.signal, ending.signal])
  await initRepository(folder)
  const depth = transport.isShallow ? ['--depth=1'] : []
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', ...depth]
  const fetch = async (wanted: string) =>
    await runGit(folder, ['fetch', ...options, '--', transport.address, wanted], { ...transport.run, signal })
  const watch = watchSize(folder, (reason) => ending.abort(reason))
  try {
    await fetch(ref ?? 'HEAD').catch(async (error: unknown) => {
      if (ref !== undefined || !(error instanceof GitError) || !error.isMissing) throw error
      await fetch(await branchWithoutHead(folder, transport, signal))
    })
  } finally {
    clearInterval(watch)
  }
  return await openCommit(folder, 'FETCH_HEAD', { signal: given.signal, onClose: given.onClose })
}

/** Fetches one commit of a repository into a temporary folder, which is removed when the tree is closed. */
export async function fetchRepository(
  address: Exclude<GitAddress, { kind: 'local' }>,
  given: FetchGiven,
): Promise<FileTree> {
  const { folder, remove } = await makeTemporaryFolder()
  try {
    const transport = await transportFor(address, { ...given, folder })
    return await fetchCommit(transport, { ...given, folder, onClose: remove })
  } catch (error) {
    await remove()
    throw explainGit(error, given)
  }
}
