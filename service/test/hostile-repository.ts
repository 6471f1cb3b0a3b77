import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestRepository, type TestRepository } from './git-server.ts'

/** A folder that sources may read, one beside it that they may not read, and a file that appears when something is executed. */
export interface HostileWorld extends AsyncDisposable {
  root: string
  outside: string
  /** A program that leaves a trace when it runs. */
  program: string
  wasRun(): boolean
}

export const SECRET = 'CANARY-7731'

export async function createHostileWorld(): Promise<HostileWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'citewell-hostile-')))
  const [root, outside, trace, program] = ['root', 'outside', 'trace', 'program.sh'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.md'), `# Payroll\n\nThe password is ${SECRET}.`)
  await writeFile(program, `#!/bin/sh\nid > '${trace}'\ncat\n`)
  await chmod(program, 0o755)
  return {
    root,
    outside,
    program,
    wasRun: () => existsSync(trace),
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** A repository with one page, in its own folder within `parent`. */
export async function repositoryIn(parent: string, name: string, text: string): Promise<TestRepository> {
  const made = await createTestRepository({ 'page.md': text })
  const folder = join(parent, name)
  spawnSync('mv', [made.folder, folder])
  const git = async (...command: string[]) => {
    const { stdout, stderr, status } = spawnSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...command],
      { cwd: folder, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  return { ...made, folder, git }
}

/** The ways in which git's configuration can run a program. */
export const configurationThatRuns = (program: string): string => `
[core]
  repositoryformatversion = 1
  fsmonitor = ${program}
  hooksPath = ${program}
  sshCommand = ${program}
  pager = ${program}
  askPass = ${program}
  gitProxy = ${program}
  alternateRefsCommand = ${program}
  editor = ${program}
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::sh -c ${program}%20x
  promisor = true
  uploadpack = ${program}
  vcs = ext
[protocol]
  allow = always
[protocol "ext"]
  allow = always
[log]
  showSignature = true
[gpg]
  program = ${program}
[gpg "ssh"]
  program = ${program}
  defaultKeyCommand = ${program}
[gpg "x509"]
  program = ${program}
[uploadpack]
  packObjectsHook = ${program}
[filter "x"]
  smudge = ${program}
  clean = ${program}
  process = ${program}
[diff "x"]
  textconv = ${program}
  command = ${program}
[diff]
  external = ${program}
[credential]
  helper = ${program}
[include]
  path = ${program}
`

/** A commit that claims to be signed: a git that shows signatures runs a program to check it. */
export async function addSignedCommit({ folder, git }: TestRepository): Promise<void> {
  const commit = await git('cat-file', 'commit', 'HEAD')
  const [head, ...rest] = commit.split('\n\n')
  const signature = ' -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----'
  const signed = `${head}\ngpgsig${signature}\n\n${rest.join('\n\n')}`
  const made = spawnSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: folder,
    input: signed,
  })
  await git('update-ref', 'HEAD', made.stdout.toString().trim())
}

/** Prints the id of a tree of `$1` entries at each of `$2` levels. In a shell, which starts programs faster than a large process does. */
const TREE_BOMB = `
entry="100644 blob $(printf '# A\\n\\nText.' | git hash-object -w --stdin)"
end=.md
for level in $(seq "$2"); do
  tree=$(for at in $(seq "$1"); do printf '%s\\tn%s%s\\n' "$entry" "$at" "$end"; done | git mktree)
  entry="040000 tree $tree"
  end=
done
echo "$tree"`

/** Nested trees: `width` to the power of `levels` files of some kilobytes. */
export async function addTreeBomb(
  { folder, git }: TestRepository,
  width: number,
  levels: number,
): Promise<void> {
  const { stdout } = spawnSync('sh', ['-c', TREE_BOMB, 'sh', String(width), String(levels)], {
    cwd: folder,
    encoding: 'utf8',
  })
  await git('update-ref', 'HEAD', (await git('commit-tree', stdout.trim(), '-m', 'bomb')).trim())
}

/** The text of a file of a repository's own directory. */
export const readGitFile = async ({ folder }: TestRepository, name: string): Promise<string> =>
  await readFile(join(folder, '.git', name), 'utf8')
