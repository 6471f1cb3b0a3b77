import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A git repository on disk, with one commit for each call of `commit`. */
export interface TestRepository extends AsyncDisposable {
  folder: string
  commit(files: Record<string, string>, given?: { remove?: string[]; branch?: string }): Promise<void>
  git(...command: string[]): Promise<string>
}

/** After a commit git would start another process, to look whether there is something to tidy up. */
const SETTINGS = [
  'user.name=Test',
  'user.email=test@example.com',
  'commit.gpgsign=false',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

/** What `git init` writes. */
async function initWorktree(folder: string): Promise<void> {
  const gitFolder = join(folder, '.git')
  for (const below of ['info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(join(gitFolder, below), { recursive: true })
  await writeFile(join(gitFolder, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(gitFolder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
}

export async function createTestRepository(files: Record<string, string>): Promise<TestRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-test-git-'))
  const git = async (...command: string[]) =>
    (await run('git', [...SETTINGS, ...command], { cwd: folder })).stdout
  const commit: TestRepository['commit'] = async (changed, { remove = [], branch } = {}) => {
    if (branch !== undefined) await git('checkout', '--quiet', '-B', branch)
    for (const [path, text] of Object.entries(changed)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    for (const path of remove) await rm(join(folder, path))
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message', 'A commit')
  }
  await initWorktree(folder)
  await commit(files)
  return {
    folder,
    commit,
    git,
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  }
}

export interface GitServer extends AsyncDisposable {
  origin: string
  /** The requests, such as `GET /docs.git/info/refs?…`. */
  requests: string[]
}

/** Serves repositories with git's own `http-backend`, as git hosts do. `redirects` redirects one path's repository to another. */
export async function startGitServer(
  repositories: Record<string, string>,
  given: { redirects?: Record<string, string>; authorization?: string } = {},
): Promise<GitServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const name = `/${url.pathname.split('/')[1] ?? ''}`
    const moved = given.redirects?.[name]
    if (moved !== undefined) {
      response.writeHead(301, { location: moved + (request.url ?? '').slice(name.length) }).end()
      return
    }
    const folder = repositories[name]
    const mayEnter =
      given.authorization === undefined || request.headers.authorization === given.authorization
    if (folder === undefined || !mayEnter) {
      response.writeHead(mayEnter ? 404 : 401).end()
      return
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: join(folder, '.git'),
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        GIT_PROTOCOL: request.headers['git-protocol']?.toString() ?? '',
        PATH_INFO: url.pathname.slice(name.length),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    backend.on('close', () => {
      const output = Buffer.concat(chunks)
      const end = output.indexOf('\r\n\r\n')
      const headers = Object.fromEntries(
        output
          .subarray(0, end)
          .toString()
          .split('\r\n')
          .map((line) => line.split(': ', 2) as [string, string]),
      )
      response.writeHead(Number(headers['Status']?.slice(0, 3) ?? 200), headers).end(output.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
