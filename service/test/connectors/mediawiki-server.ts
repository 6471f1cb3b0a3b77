import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ExpectedDocument, ProductModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn } from './stand-in-server.ts'

/** Where Debian's package `mediawiki` is. */
const MEDIAWIKI = '/usr/share/mediawiki'
const ADMIN = { user: 'Admin', password: 'wiki-admin-password' }
const BOT = 'citewell'

/** `tools/install-test-tools.ts` installs it where it can. */
export const hasMediawiki = (): boolean =>
  existsSync(join(MEDIAWIKI, 'api.php')) &&
  spawnSync('php', ['-r', 'exit(extension_loaded("pdo_sqlite") && extension_loaded("intl") ? 0 : 1);'])
    .status === 0

interface Answer {
  error?: { code: string; info: string }
  query?: { tokens?: { logintoken?: string; csrftoken?: string } }
  edit?: { pageid: number }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until PHP serves: it says so on its standard error. */
async function servesFrom(php: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    php.once('exit', (code) => reject(new Error(`php ended with ${code}`)))
    php.stderr?.on('data', (said: Buffer) => {
      if (said.includes('started')) resolve()
    })
  })
}

/** What an administrator of the wiki does, by its API. */
function createAdministrator(api: string) {
  const cookies = new Map<string, string>()
  let token = ''

  async function call(parameters: Record<string, string>): Promise<Answer> {
    const response = await fetch(api, {
      method: 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams({ ...parameters, format: 'json', formatversion: '2' }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const answer = (await response.json()) as Answer
    if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.info}`)
    return answer
  }
  return {
    signIn: async () => {
      const { query } = await call({ action: 'query', meta: 'tokens', type: 'login' })
      const lgtoken = query?.tokens?.logintoken ?? ''
      await call({ action: 'login', lgname: ADMIN.user, lgpassword: ADMIN.password, lgtoken })
      token = (await call({ action: 'query', meta: 'tokens' })).query?.tokens?.csrftoken ?? ''
    },
    act: async (parameters: Record<string, string>) => await call({ ...parameters, token }),
  }
}

/**
 * A MediaWiki of its own with an SQLite database, served by PHP behind a server that counts and can misbehave. Ends with the process that it
 * starts, and leaves no files.
 */
export async function startMediawiki() {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-mediawiki-'))
  const settings = join(folder, 'LocalSettings.php')
  const port = await freePort()
  const server = await startStandIn(async ({ method, path, query, headers, body }) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}?${query.toString()}`, {
      method,
      headers: {
        cookie: headers.cookie ?? '',
        ...(typeof body === 'string' && { 'content-type': headers['content-type'] ?? '' }),
      },
      ...(typeof body === 'string' && { body }),
    })
    return {
      status: response.status,
      headers: {
        'content-type': response.headers.get('content-type') ?? '',
        'set-cookie': response.headers.getSetCookie(),
      },
      body: await response.text(),
    }
  })
  const maintenance = async (script: string, given: string[]) =>
    await promisify(execFile)('php', [join(MEDIAWIKI, 'maintenance', script), ...given], {
      // It says each of thousands of jobs.
      maxBuffer: 100 * 1_048_576,
    })
  await maintenance('install.php', [
    '--dbtype=sqlite',
    `--dbpath=${join(folder, 'database')}`,
    `--confpath=${folder}`,
    `--server=${server.origin}`,
    '--scriptpath=',
    `--pass=${ADMIN.password}`,
    'Test wiki',
    ADMIN.user,
  ])
  const closed = join(folder, 'closed')
  await appendFile(
    settings,
    `\n$wgMainCacheType = CACHE_NONE;\n$wgGroupPermissions['*']['read'] = !file_exists('${closed}');\n`,
  )
  const bot = await maintenance('createBotPassword.php', [
    `--conf=${settings}`,
    `--appid=${BOT}`,
    '--grants=basic',
    ADMIN.user,
  ])
  const password = /password:'([^']+)'/.exec(bot.stdout)?.[1] ?? ''
  const php = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', MEDIAWIKI], {
    env: { ...process.env, MW_CONFIG_FILE: settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await servesFrom(php)
  const admin = createAdministrator(`http://127.0.0.1:${port}/api.php`)
  await admin.signIn()

  /** By id of the page. The wiki comes with a main page. */
  const pages = new Map<string, { title: string; word: string }>()
  let made = 0
  const word = () => `word${(made += 1)}x`
  const textOf = (unique: string) =>
    `== About it ==\nThe word of this page is ${unique}.\n{| class="wikitable"\n! Plan !! Limit\n|-\n| Free || 10\n|}\n<pre>acme --word ${unique} <file></pre>`

  async function write(title: string): Promise<string> {
    const unique = word()
    const { edit } = await admin.act({ action: 'edit', title, text: textOf(unique) })
    const id = String(edit?.pageid)
    pages.set(id, { title, word: unique })
    return id
  }
  const add = async (random: Random) => await write(`${random.words(2)} ${(made += 1)}`)

  const changes: Record<string, (id: string, random: Random) => Promise<unknown>> = {
    edit: async (id) => await write(pages.get(id)?.title ?? ''),
    delete: async (id) => {
      pages.delete(id)
      await admin.act({ action: 'delete', pageid: id })
    },
    // A redirect is left behind at the old title.
    move: async (id, random) => {
      const page = pages.get(id)
      const title = `${random.words(2)} ${(made += 1)}`
      await admin.act({ action: 'move', fromid: id, to: title })
      if (page !== undefined) page.title = title
    },
    redirect: async (id) => {
      const page = pages.get(id)
      pages.delete(id)
      await admin.act({ action: 'edit', title: page?.title ?? '', text: '#REDIRECT [[Main Page]]' })
    },
  }

  let isClosed = false
  /** From now on only those who sign in read the wiki. */
  const close = async () => {
    isClosed = true
    await writeFile(closed, '')
  }
  /** Everyone reads it again. */
  const open = async () => {
    isClosed = false
    await rm(closed, { force: true })
  }
  /** Who may read: of the whole wiki. */
  const rights: Record<string, () => Promise<void>> = { close, open }
  const model: ProductModel = {
    type: 'mediawiki',
    config: { url: `${server.origin}/api.php` },
    credentials: { user: `${ADMIN.user}@${BOT}`, password },
    server,
    documents: () =>
      new Map<string, ExpectedDocument>([
        ['1', { text: 'MediaWiki has been installed', isRestricted: isClosed }],
        ...[...pages].map(([id, page]): [string, ExpectedDocument] => [
          id,
          { text: page.word, isRestricted: isClosed },
        ]),
      ]),
    add: async (random) => void (await add(random)),
    change: async (random) => {
      const kind = random.of(['add', ...Object.keys(changes), ...Object.keys(rights)])
      const [change, grant] = [changes[kind], rights[kind]]
      if (grant !== undefined) {
        await grant()
        return kind
      }
      if (pages.size === 0 || change === undefined) {
        await add(random)
        return 'add'
      }
      const id = random.of([...pages.keys()])
      await change(id, random)
      return `${kind} ${id}`
    },
    hideMost: () => Promise.resolve(() => Promise.resolve()),
  }
  return {
    model,
    server,
    admin,
    pages,
    /** Waits until the clock of this machine, of which the wiki reads the seconds, shows another time. */
    nextSecond: () => sleep(1_010 - (Date.now() % 1_000)),
    /** What a wiki does after requests, in its own time: e.g. marks the pages that include a changed template. */
    runJobs: async () => void (await maintenance('runJobs.php', [`--conf=${settings}`])),
    close,
    open,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      const ended = new Promise((resolve) => php.once('close', resolve))
      php.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
