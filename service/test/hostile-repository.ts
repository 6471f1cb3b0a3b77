import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
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
  await rename(made.folder, folder)
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

const TYPES = { commit: 1, tree: 2, blob: 3 }

/** Collects objects in the format of a pack, so that git has to be started only once for all of them. */
function createPack() {
  const packed: Buffer[] = []
  let count = 0
  return {
    /** Returns the id of the object. */
    add(type: keyof typeof TYPES, body: Buffer): string {
      const head: number[] = []
      let part = (TYPES[type] << 4) | (body.length & 15)
      for (let rest = body.length >> 4; rest > 0; rest >>= 7) {
        head.push(part | 0x80)
        part = rest & 0x7f
      }
      packed.push(Buffer.from([...head, part]), deflateSync(body))
      count += 1
      return hash('sha1', Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]))
    },
    bytes(): Buffer {
      const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
      head.writeUInt32BE(count, 8)
      const all = Buffer.concat([head, ...packed])
      return Buffer.concat([all, Buffer.from(hash('sha1', all), 'hex')])
    },
  }
}

/** Nested trees: `width` to the power of `levels` files of some kilobytes. */
export async function addTreeBomb({ folder }: TestRepository, width: number, levels: number): Promise<void> {
  const pack = createPack()
  let entry = { mode: '100644', id: pack.add('blob', Buffer.from('# A\n\nText.')), ending: '.md' }
  for (let level = 0; level < levels; level += 1) {
    const { mode, id, ending } = entry
    // Sorted, as git requires.
    const names = Array.from({ length: width }, (_, at) => `n${at + 1}${ending}`).toSorted()
    const entries = names.flatMap((name) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    entry = { mode: '40000', id: pack.add('tree', Buffer.concat(entries)), ending: '' }
  }
  const who = 'T <t@example.com> 0 +0000'
  const commit = pack.add(
    'commit',
    Buffer.from(`tree ${entry.id}\nauthor ${who}\ncommitter ${who}\n\nbomb\n`),
  )
  const { status, stderr } = spawnSync('git', ['index-pack', '--stdin'], { cwd: folder, input: pack.bytes() })
  if (status !== 0) throw new Error(stderr.toString())
  await writeFile(join(folder, '.git', 'refs', 'heads', 'main'), `${commit}\n`)
}
