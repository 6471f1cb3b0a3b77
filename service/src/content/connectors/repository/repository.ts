import type { SourceConfig } from '@citewell/contract/source-configs'
import type { LocalPaths } from '../../../platform/files/local-paths.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type Connector, type ConnectorInput, type SourceItems } from '../connector.ts'
import { mapInOrder } from '../map-in-order.ts'
import type { Parsing } from '../../parsing/parsing.ts'
import { chooseFiles, LONG_PATH } from './choose-files.ts'
import { fetchRepository } from './fetch-repository.ts'
import { createFileAddress } from './file-address.ts'
import type { FileTree } from './file-tree.ts'
import { checkRef, parseGitAddress } from './git-address.ts'
import { openLocal } from './open-local.ts'
import { readRepositoryFile } from './read-file.ts'

export type RepositoryConfig = SourceConfig<'repository'>

export interface RepositoryDeps {
  outbound: Outbound
  parse: Parsing['parse']
  /** Paths on this machine's disk that may be read. */
  localPaths: LocalPaths
  /** The known_hosts file of ssh. */
  knownHosts: string
}

/** Files that are read and parsed ahead of the current one. */
const LOOKAHEAD = 4

async function openTree(
  { config, credentials = {}, signal }: ConnectorInput<RepositoryConfig>,
  deps: RepositoryDeps,
): Promise<FileTree> {
  if (config.ref !== null) checkRef(config.ref)
  const address = parseGitAddress(config.url)
  if (address.kind === 'local')
    return await openLocal({ path: address.path, ref: config.ref }, deps.localPaths, signal)
  const name = address.kind === 'web' ? address.url.href : config.url
  return await fetchRepository(address, { ...deps, ref: config.ref ?? undefined, name, credentials, signal })
}

/** Reads the documentation files of a repository or folder, each as a document named by its path. */
export function createRepositoryConnector(deps: RepositoryDeps): Connector<RepositoryConfig> {
  async function* read(input: ConnectorInput<RepositoryConfig>): SourceItems {
    const { config, signal } = input
    await using tree = await openTree(input, deps)
    for (const { limit, place } of tree.limits) input.onLimit?.(limit, place)
    const leftOut = (path: string, reason: string) => {
      if (reason === LONG_PATH) input.onLimit?.(reason, path)
      else input.onLeftOut?.(path, reason)
    }
    const chosen = await chooseFiles(tree.files, { ...config, signal }, leftOut)
    yield { kind: 'discovered', count: chosen.length }
    if (chosen.length === 0)
      throw new SourceFailure(
        'No Markdown, reStructuredText, AsciiDoc, HTML, notebook, text, PDF or Word files were found. Check include and exclude.',
      )
    const addressOf = createFileAddress({
      url: config.url,
      ref: config.ref ?? undefined,
      siteUrl: config.site_url ?? undefined,
      include: config.include,
      paths: chosen.map(({ path }) => path),
    })
    const byPath = new Map(tree.files.map((file) => [file.path, file]))
    yield* mapInOrder(chosen, LOOKAHEAD, async (file) => {
      signal.throwIfAborted()
      return await readRepositoryFile(file, {
        tree,
        byPath,
        url: addressOf(file.path),
        parse: deps.parse,
        input,
      })
    })
    yield { kind: 'complete' }
  }
  return { type: 'repository', read }
}
