/** Maximum size of one clone, or of one copy of a repository on the disk. */
export const MAX_PACK_BYTES = 2_147_483_648

/** Maximum memory of git while it reads untrusted objects: a few kilobytes can unpack to any size. */
const MAX_MEMORY_BYTES = 1_073_741_824

/** Maximum output of a command whose output is read as a whole: a commit, a list of branches. */
export const MAX_OUTPUT_BYTES = 16_777_216

/** Maximum length of the list of a repository's files, as git prints it. */
export const MAX_LISTING_BYTES = 33_554_432

/** The shell counts file sizes in blocks of 512 bytes and memory in KiB. On a system that does not support a limit, git runs without it. */
const LIMITED = `ulimit -c 0 2>/dev/null; ulimit -f ${MAX_PACK_BYTES / 512} 2>/dev/null; ulimit -v ${MAX_MEMORY_BYTES / 1_024} 2>/dev/null; exec git "$@"`

/** The program and arguments that run git within its limits. */
export const limitedGit = (given: readonly string[]): [string, string[]] =>
  process.platform === 'win32' ? ['git', [...given]] : ['/bin/sh', ['-c', LIMITED, 'git', ...given]]
