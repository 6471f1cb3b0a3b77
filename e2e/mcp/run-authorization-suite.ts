import { freePort } from '../../service/test/free-port.ts'
import { startTool } from './run-tool.ts'
import { signInAsReader } from './sign-in-as-reader.ts'

/**
 * Runs the conformance suite's checks of an authorization server: as a client that registers itself, with a reader who signs in.
 *
 * @param resource address of the MCP server that the token is for
 * @returns the output of the suite, and its exit code
 */
export async function runAuthorizationSuite(issuer: string, resource: string) {
  const port = await freePort()
  const registered = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance suite',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    }),
  })
  const client = (await registered.json()) as { client_id: string }
  const target = ['--url', issuer, '--client-id', client.client_id, '--resource', resource]
  await using suite = startTool('conformance', ['authorization', ...target, '-p', String(port)])
  await fetch(await signInAsReader(await suite.says(/^(http\S+\/authorize\?\S+)$/m)))
  return { code: await suite.ended, output: suite.output() }
}
