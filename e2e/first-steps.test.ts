import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { htmlPage, startFakeSite } from '../service/test/fake-site.ts'
import { runCommand } from '../service/test/run-command.ts'
import { emptyDataDirectory, newDataDirectory, startCitewell } from './run-citewell.ts'

const settingsOf = (directory: string) => ({
  PORT: '0',
  CITEWELL_DATA_DIR: directory,
  CITEWELL_ALLOW_PRIVATE_NETWORK: 'true',
  CITEWELL_LOG_LEVEL: 'silent',
})

verifies(
  'running.database-url',
  'without DATABASE_URL the storage is in the data directory, and commands on it add a site, list it and delete it',
  async () => {
    await using site = await startFakeSite({
      '/': htmlPage('How do I rotate keys?', 'Keys are rotated every day at midnight by the key service.'),
    })
    const directory = emptyDataDirectory()
    const citewell = await startCitewell(settingsOf(directory))
    expect(readFileSync(join(directory, 'database/PG_VERSION'), 'utf8')).toBe('18\n')
    const run = async (...words: string[]) => await runCommand(words, settingsOf(directory))
    const added = await run('up', `${site.origin}/`)
    expect(added.exitCode).toBe(0)
    expect(added.stderr).toContain(`Citewell is at   ${citewell.address}`)
    expect(added.stderr).not.toMatch(/Ctrl\+C|Open it|░/)
    const again = await run('up')
    expect(again).toMatchObject({ exitCode: 0 })
    expect(again.stderr).toContain('Citewell is running already.')
    const { host } = new URL(site.origin)
    expect((await run('list')).stdout).toContain(host)
    // A second service cannot run on the same folder: it is refused with the reason.
    expect((await run('serve')).exitCode).toBe(1)
    expect((await run('delete', host, '--confirm', host)).exitCode).toBe(0)
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ data: [] })
    await citewell.stop()
  },
  180_000,
)

test(
  'up --once prints no address, since no service keeps running; a failed one leaves nothing behind',
  { timeout: 180_000, tags: ['long'] },
  async () => {
    await using site = await startFakeSite({
      '/': htmlPage('How do I rotate keys?', 'Keys are rotated every day at midnight by the key service.'),
    })
    const directory = newDataDirectory()
    const run = async (...words: string[]) => await runCommand(words, settingsOf(directory))
    const failed = await run('up', `${site.origin}/nope`)
    expect(failed.exitCode).toBe(1)
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ data: [] })
    const once = await run('up', `${site.origin}/`, '--once')
    expect(once.exitCode).toBe(0)
    expect(once.stderr).not.toMatch(/Citewell is at|Ctrl\+C|Open it|0 of 0/)
    expect(once.stderr).toContain('npx citewell ask')
  },
)

test('the program can be started with any Node version, and runs with the one installed with it', () => {
  const root = join(import.meta.dirname, '..')
  const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath
  const program = join(root, 'service/bin/citewell.js')
  const { stdout, status } = spawnSync(old, [program, '--version'], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '0.1.0\n', status: 0 })
})
