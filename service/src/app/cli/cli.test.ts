import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../test/run-command.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'citewell-cli-'))

test.each([['--version'], ['-v'], ['version']])('%s tells the version', async (...words) => {
  expect(await runCommand(words, {})).toEqual({ exitCode: 0, stdout: '0.1.0\n', stderr: '' })
})

test('help is at every command, however it is asked for', async () => {
  const { stdout: overview } = await runCommand([], {})
  for (const words of [['help'], ['--help'], ['-h'], ['help', 'help']]) {
    expect((await runCommand(words, {})).stdout).toBe(overview)
  }
  const names = [...overview.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? '')
  expect(names).toContain('list')
  for (const name of names) {
    const { stdout, exitCode } = await runCommand([name, '--help'], {})
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`citewell ${name}`)
    expect((await runCommand([name, '-h'], {})).stdout).toBe(stdout)
    expect((await runCommand(['help', name], {})).stdout).toBe(stdout)
    // Bad settings are no reason to tell nothing.
    expect((await runCommand([name, '--help'], { PORT: 'abc' })).stdout).toBe(stdout)
  }
  for (const name of ['PORT', 'HOST', 'CITEWELL_DATA_DIR', 'docs/guide/running.md']) {
    expect((await runCommand(['serve', '--help'], {})).stdout).toContain(name)
  }
})

test.each([
  [['serch', 'x'], 'There is no command "serch". Did you mean search?'],
  [['xyzzy'], 'There is no command "xyzzy".'],
  [['ask', 'x', '--kbb', 'y'], 'ask has no option --kbb. Did you mean --kb?'],
  [['ask', 'x', '-x'], 'ask has no option -x. It has --kb, --thread, '],
  [['ask', 'x', '--kb'], '--kb needs a value'],
  [['ask', 'x', '--kb', '--json'], '--kb needs a value'],
  [['ask', '--json=yes', 'x'], '--json takes no value'],
  [['search', 'x', '--limit', 'abc'], '--limit must be a whole number from 1 to 50'],
  [['search', 'x', '--limit', '0'], '--limit must be a whole number from 1 to 50'],
  [['token', 'create', 'x', '--days', 'abc'], '--days must be a whole number from 1 to 36,500'],
  [['ask'], 'What is the question?'],
  [['up', 'a.example', 'b.example'], 'Give one address'],
  [['constructor'], 'There is no command "constructor".'],
])('%j is refused in words, on stderr, with exit code 2', async (words, told) => {
  const environment = { CITEWELL_URL: 'http://127.0.0.1:9', CITEWELL_TOKEN: 'x' }
  const plain = await runCommand(words, environment)
  expect(plain).toMatchObject({ exitCode: 2, stdout: '' })
  expect(plain.stderr).toContain(told)
  const json = await runCommand(['--json', ...words], environment)
  expect(json).toMatchObject({ exitCode: 2, stdout: '' })
  expect(JSON.parse(json.stderr)).toMatchObject({ code: 'USAGE', error: expect.any(String) as string })
})

test('a hint is the command as this person types it', async () => {
  const hint = async (environment: Record<string, string>) =>
    (await runCommand(['nonsense'], environment)).stderr
  expect(await hint({ npm_command: 'exec' })).toContain('Try: npx citewell help')
  expect(await hint({})).toContain('Try: npx citewell help')
})

test('settings that are wrong, and names that are none, are told before anything is done', async () => {
  const wrong = await runCommand(['list', '--json'], { PORT: 'abc', CITEWELL_LLM_MODEL: 'm' })
  expect(wrong.exitCode).toBe(5)
  const { error, code } = JSON.parse(wrong.stdout) as { error: string; code: string }
  expect(code).toBe('SETTINGS')
  expect(error).toContain('PORT: must be a whole number from 0 to 65535')
  expect(error).toContain('CITEWELL_LLM_MODEL: ')
  const { stderr } = await runCommand(['list'], { CITEWELL_DATADIR: '/x', CITEWELL_URL: 'ftp://x' })
  expect(stderr).toContain(
    'CITEWELL_DATADIR is no setting, and does nothing. Did you mean CITEWELL_DATA_DIR?',
  )
  expect(stderr).toContain('is no address of a service')
})

test('a port that is taken, an address that is none, and a folder that is a file are told in words', async () => {
  const other = createServer((_, response) => response.end('{}'))
  await new Promise<void>((listening) => {
    other.listen(0, '127.0.0.1', listening)
  })
  const { port } = other.address() as AddressInfo
  const data = folder()
  const serve = async (environment: Record<string, string>) =>
    await runCommand(['serve'], { CITEWELL_LOG_LEVEL: 'silent', CITEWELL_DATA_DIR: data, ...environment })
  const taken = await serve({ PORT: String(port) })
  expect(taken).toMatchObject({ exitCode: 1 })
  expect(taken.stderr).toContain(
    `Port ${port} is in use by another program. Stop it, or set PORT=${port + 1}.`,
  )
  other.close()
  expect((await serve({ PORT: '0', HOST: '192.0.2.1' })).stderr).toContain('is no address of this machine')
  // They were told before a database was made.
  expect(readdirSync(data)).not.toContain('database')
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  expect((await serve({ CITEWELL_DATA_DIR: file })).stderr).toContain(`${file} is no folder`)
}, 120_000)
