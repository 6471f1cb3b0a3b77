/** What one clone, or one copy of a repository on the disk, may take. */
export const MAX_PACK_BYTES = 2_147_483_648

/** What git may reserve while it reads somebody else's objects: a few kilobytes can be made to unpack to any size. */
const MAX_MEMORY_BYTES = 1_073_741_824

/** Of what a command writes that is read as a whole: a commit, a list of branches. */
export const MAX_OUTPUT_BYTES = 16_777_216

/** Of the names of a repository's files, as git lists them. */
export const MAX_LISTING_BYTES = 33_554_432

/** The shell counts files in blocks of 512 bytes and memory in KiB. Where a system does not know a limit, git runs without it. */
const LIMITED = `ulimit -c 0 2>/dev/null; ulimit -f ${MAX_PACK_BYTES / 512} 2>/dev/null; ulimit -v ${MAX_MEMORY_BYTES / 1_024} 2>/dev/null; exec git "$@"`

/** The program and arguments that run git within its limits. */
export const limitedGit = (given: readonly string[]): [string, string[]] =>
  process.platform === 'win32' ? ['git', [...given]] : ['/bin/sh', ['-c', LIMITED, 'git', ...given]]
