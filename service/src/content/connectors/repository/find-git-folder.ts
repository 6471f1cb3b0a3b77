import { lstat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { LocalPathRefused, type LocalPaths, type LocalPlace } from '../../../platform/files/local-paths.ts'
import { readSmall } from './untrusted-refs.ts'

/** The folders of a repository on the disk: its own git folder, and the one shared by its worktrees. */
export interface GitFolders {
  gitFolder: LocalPlace
  commonFolder: LocalPlace
}

const kindOf = async (path: string): Promise<'file' | 'folder' | undefined> => {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() === true ? 'file' : stats?.isDirectory() === true ? 'folder' : undefined
}

/** Whether a folder is a bare repository, without files to read. */
export const isBareRepository = async (folder: string): Promise<boolean> =>
  (await kindOf(join(folder, 'HEAD'))) === 'file' && (await kindOf(join(folder, 'objects'))) === 'folder'

/**
 * The git folder of a path, or of the nearest parent folder that has one. If a `.git` file points elsewhere, as in worktrees and
 * submodules, the target has to be in the same listed folder: `LocalPathRefused` otherwise. Undefined if there is none.
 */
export async function findGitFolder(
  localPaths: LocalPaths,
  place: LocalPlace,
  signal: AbortSignal,
): Promise<GitFolders | undefined> {
  async function follow(from: LocalPlace, target: string): Promise<GitFolders> {
    const gitFolder = await localPaths.enter(from, resolve(from.path, target))
    const common = (await readSmall(localPaths, gitFolder, 'commondir', signal))?.trim()
    const commonFolder =
      common === undefined ? gitFolder : await localPaths.enter(from, resolve(gitFolder.path, common))
    return { gitFolder, commonFolder }
  }

  for (let folder = place.path; ; folder = dirname(folder)) {
    const here = { ...place, path: folder }
    if (await isBareRepository(folder)) return await follow(here, '.')
    const kind = await kindOf(join(folder, '.git'))
    if (kind === 'folder') return await follow(here, '.git')
    if (kind === 'file') {
      const gitFile = (await readSmall(localPaths, here, '.git', signal)) ?? ''
      const target = /^gitdir: ([^\n]+)/.exec(gitFile)?.[1]
      if (target === undefined) throw new LocalPathRefused()
      return await follow(here, target.trim())
    }
    if (folder === place.root || folder === dirname(folder)) return undefined
  }
}
