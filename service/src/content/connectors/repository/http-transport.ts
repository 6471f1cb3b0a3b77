import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type SourceCredentials } from '../connector.ts'
import type { GitAddress } from './git-address.ts'
import { bracketed, type Transport } from './git-transport.ts'

/** The `Authorization` value for a name and a password. */
export const basicOf = ({ user = '', password = '' }: SourceCredentials): string | undefined =>
  user === '' && password === ''
    ? undefined
    : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/**
 * Checks through the guarded client that a web address is a repository, and follows its redirects; git itself then follows none, and is
 * pinned to the addresses that were checked. Credentials are sent only to the host that they were given for.
 */
export async function httpTransport(
  given: Extract<GitAddress, { kind: 'web' }>,
  credentials: SourceCredentials,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Transport> {
  const authorization = basicOf(credentials)
  const asked = new URL(given.url)
  asked.pathname = `${asked.pathname.replace(/(?<!\/)\/+$/, '')}/info/refs`
  asked.search = '?service=git-upload-pack'
  const response = await outbound.fetchOutbound(asked, {
    chosenBy: 'customer',
    headers: { 'git-protocol': 'version=2', ...(authorization !== undefined && { authorization }) },
    signal,
    followRedirects: true,
  })
  await response.discard()
  const name = given.url.href
  if (response.status === 401 || response.status === 403 || response.status === 404)
    throw new SourceFailure(
      authorization === undefined
        ? `There is no repository at ${name} that may be read without a sign-in (${response.status}). Check the address; for a private repository, add a token to it (https://user:token@…).`
        : `There is no repository at ${name} that may be read with the credentials of this source (${response.status}). Check the address, and whether the token is still valid.`,
    )
  const isGit =
    response.headers.get('content-type')?.startsWith('application/x-git-upload-pack-advertisement') === true
  if (response.status !== 200 || !isGit)
    throw new SourceFailure(
      `There is no git repository at ${name}: the server answered ${response.status} but not as a git server does.`,
    )
  const { url } = response
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
  const addresses = await outbound.checkHost(url.hostname, port, 'customer')
  const isSameOrigin = url.origin === given.url.origin
  return {
    address: url.href.replace(/\/info\/refs\?[^]*/, ''),
    isShallow: true,
    run: {
      protocol: url.protocol === 'https:' ? 'https' : 'http',
      settings: {
        'http.curloptResolve': `${url.hostname}:${port}:${addresses.map(bracketed).join(',')}`,
      },
      secretSettings:
        authorization === undefined || !isSameOrigin
          ? {}
          : { 'http.extraHeader': `Authorization: ${authorization}` },
    },
  }
}
