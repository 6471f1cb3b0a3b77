import type { SourceConfig } from '@citewell/contract/source-configs'
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type Connector, type ConnectorInput, type SourceItem } from '../connector.ts'
import { inOrder } from '../in-order.ts'
import type { Parsing } from '../../parsing/parsing.ts'
import { createFileAddress } from './file-address.ts'
import type { FileTree } from './file-tree.ts'
import { openFolder } from './folder-tree.ts'
import { checkRef, parseGitAddress } from './git-address.ts'
import { openCommit } from './git-tree.ts'
import { runGit } from './git.ts'
import { fetchRepository } from './fetch-repository.ts'
import { readRepositoryFile } from './read-file.ts'
import { chooseFiles } from './choose-files.ts'

export type RepositoryConfig = SourceConfig<'repository'>

export interface RepositoryDeps {
  outbound: Outbound
  parse: Parsing['parse']
  /** Whether the disk of this service may be read, and its ssh keys used. */
  allowLocalPaths: boolean
}

/** Files that are read and parsed ahead of the one whose turn it is. */
const LOOKAHEAD = 4

/** A path on the disk: a folder as it is now, a commit of the repository that it is, or a bundle. */
async function openLocal(
  path: string,
  config: RepositoryConfig,
  deps: RepositoryDeps,
  signal: AbortSignal,
): Promise<FileTree> {
  const full = resolve(path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw new SourceFailure(`There is nothing at ${full}.`)
  if (!found.isDirectory()) {
    const name = config.url
    return await fetchRepository(
      { kind: 'local', path: full },
      { ref: config.ref ?? undefined, name, outbound: deps.outbound, signal },
    )
  }
  if (config.ref === null) {
    // A bare repository has no files of its own to read.
    const isBare = await stat(join(full, 'HEAD')).then(
      async () => (await stat(join(full, 'objects'))).isDirectory(),
      () => false,
    )
    if (!isBare) return await openFolder(full, signal)
  }
  const wanted = `${config.ref ?? 'HEAD'}^{commit}`
  try {
    const gitFolder = (await runGit(full, ['rev-parse', '--absolute-git-dir'], { signal })).trim()
    const commit = (await runGit(full, ['rev-parse', '--verify', '--quiet', wanted], { signal })).trim()
    return await openCommit(gitFolder, commit, { signal, onClose: async () => {} })
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof SourceFailure) throw cause
    throw new SourceFailure(
      `${full} is no git repository with a branch, tag or commit "${config.ref ?? 'HEAD'}".`,
      { cause },
    )
  }
}

async function openTree(
  config: RepositoryConfig,
  deps: RepositoryDeps,
  signal: AbortSignal,
): Promise<FileTree> {
  if (config.ref !== null) checkRef(config.ref)
  const address = parseGitAddress(config.url, deps.allowLocalPaths)
  if (address.kind === 'local') return await openLocal(address.path, config, deps, signal)
  const name = address.kind === 'web' ? address.url.href : config.url
  return await fetchRepository(address, {
    ref: config.ref ?? undefined,
    name,
    outbound: deps.outbound,
    signal,
  })
}

/** Reads the documentation files of a repository or folder, each as a document named by its path. */
export function createRepositoryConnector(deps: RepositoryDeps): Connector<RepositoryConfig> {
  async function* read(input: ConnectorInput<RepositoryConfig>): AsyncGenerator<SourceItem, void, void> {
    const { config, signal } = input
    await using tree = await openTree(config, deps, signal)
    const chosen = chooseFiles(tree.files, config, (path, reason) => input.onLeftOut?.(path, reason))
    yield { kind: 'discovered', count: chosen.length }
    if (chosen.length === 0) {
      throw new SourceFailure(
        'There are no Markdown, reStructuredText, HTML, notebook, text, PDF or Word files to read there. Check include and exclude.',
      )
    }
    const addressOf = createFileAddress({
      url: config.url,
      ref: config.ref ?? undefined,
      siteUrl: config.site_url ?? undefined,
      include: config.include,
      paths: chosen.map(({ path }) => path),
    })
    const byPath = new Map(tree.files.map((file) => [file.path, file]))
    yield* inOrder(chosen, LOOKAHEAD, async (file) => {
      signal.throwIfAborted()
      return await readRepositoryFile(file, {
        tree,
        byPath,
        url: addressOf(file.path),
        parse: deps.parse,
        input,
      })
    })
  }
  return { type: 'repository', read }
}
