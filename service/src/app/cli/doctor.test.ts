import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { createAuthorizationWorld } from '../../../test/authorization-world.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'
import { runCli } from './cli.ts'

let citewell: TestService

beforeAll(async () => {
  citewell = await startTestService()
}, 60_000)
afterAll(() => citewell[Symbol.asyncDispose]())

/** Runs a command against the service, as somebody at a terminal without colours does. */
async function run(...words: string[]): Promise<{ exitCode: number; stdout: string }> {
  let stdout = ''
  const exitCode = await runCli({
    words,
    environment: { CITEWELL_URL: citewell.address, CITEWELL_TOKEN: OWNER_TOKEN, NO_COLOR: '1' },
    streams: { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => true } },
    signal: new AbortController().signal,
  })
  return { exitCode, stdout }
}

verifies(
  'activity-log.audit',
  'citewell doctor --audit says that every chain is whole, and names the entry that was changed past the service',
  async () => {
    await citewell.json('POST', '/api/v1/knowledge-bases', {
      name: 'Acme\r\n✓ activity log   all well\u001B[2J',
    })
    const whole = await run('doctor', '--audit')
    expect(whole.exitCode).toBe(0)
    expect(whole.stdout).toMatch(/✓ activity log +\d+ entries of 1 workspace, every chain whole/)
    expect((await run('doctor')).stdout).not.toContain('activity log')

    await citewell.storage.execute('alter table activity_log disable trigger all')
    const [row] = await citewell.rows(
      "update activity_log set target_name = 'acme' where action = 'knowledge_base.created' returning id, sequence",
    )
    const broken = await run('doctor', '--audit')
    expect(broken.exitCode).toBe(6)
    expect(broken.stdout).toContain(
      `entry ${String(row?.['sequence'])} (${String(row?.['id'])}, knowledge_base.created)`,
    )
  },
)

verifies(
  ['access-tokens.from-command-line', 'activity-log.no-log-injection', 'access-tokens.bearer'],
  'citewell token makes tokens that work, and lists them a line each, whatever they are called',
  async () => {
    const name = 'mine\n01999999-aaaa  forged  admin  last used never\u001B[31m'
    const made = await run('token', 'create', 'mine', '--scopes', 'read')
    // As it was stored before names were one visible line.
    await citewell.storage.db.updateTable('access_tokens').set({ name }).where('name', '=', 'mine').execute()
    const token = made.stdout.trim()
    const me = (scheme: string) =>
      createAuthorizationWorld(citewell).send('GET', '/api/v1/me', {
        headers: { authorization: `${scheme} ${token}` },
      })

    expect((await me('Bearer')).status).toBe(200)
    expect((await me('Basic')).status).toBe(401)
    const listed = await run('token', 'list')
    expect(listed.stdout).toContain('mine\\n01999999-aaaa  forged')
    expect(listed.stdout).not.toContain('\u001B')
    expect(listed.stdout).not.toMatch(/^01999999-aaaa/m)
  },
)
