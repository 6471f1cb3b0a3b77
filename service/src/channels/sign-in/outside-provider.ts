import type { Configuration } from 'openid-client'
import { Refusal } from '../../kernel/refusal.ts'

/** A provider that people have an account at, as the operator set it up. */
export interface OutsideProviderSettings {
  /** In addresses: `google`, `github`, `oidc`. */
  id: string
  /** On the button. */
  name: string
  clientId: string
  clientSecret: string
  /** Address of an OpenID provider; `github` for GitHub, which is none. */
  issuer: string
}

/** Who somebody is there. */
export interface OutsideIdentity {
  /** The provider's own address and id of the person: the same person always has the same. */
  issuer: string
  subject: string
  /** Only where the provider says that it is verified. Kept for accounts here, never for readers. */
  email: string | undefined
}

/** What has to be remembered between the way there and the way back. */
export interface OutsideLogin {
  codeVerifier: string
  nonce: string
  state: string
  /** Whether the person's e-mail is asked for: of members it is, of readers nothing but who they are. */
  wantsEmail: boolean
}

/** Time that a provider has for one answer. */
const TIMEOUT_SECONDS = 10

const GITHUB = {
  issuer: 'https://github.com',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
}
const GITHUB_USER = 'https://api.github.com/user'

/** What is asked of a provider: as little as there is to ask. */
const SCOPES = {
  openId: { reader: 'openid', member: 'openid email' },
  gitHub: { reader: 'read:user', member: 'read:user user:email' },
}

/** What a fault says is cut here: a provider may write anything. */
const FAULT_CHARACTERS = 300

/** A fault as it may be logged: what the provider answered, or says of a person, hangs on it as a whole otherwise. */
function withoutAnswer(fault: unknown): Error {
  if (!(fault instanceof Error)) return new Error('a fault without words')
  const code = 'code' in fault && typeof fault.code === 'string' ? `${fault.code}: ` : ''
  const error = 'error' in fault && typeof fault.error === 'string' ? ` (${fault.error})` : ''
  return new Error(`${code}${fault.message}${error}`.slice(0, FAULT_CHARACTERS))
}

export interface OutsideProviderDeps {
  /** The guarded way out. */
  fetch: typeof globalThis.fetch
}

/** Signs people in at a provider: OpenID Connect with PKCE, state and nonce; GitHub by its own API. */
export function createOutsideProvider(settings: OutsideProviderSettings, { fetch }: OutsideProviderDeps) {
  let configuring: Promise<Configuration> | undefined

  async function configure(): Promise<Configuration> {
    const openid = await import('openid-client')
    const { issuer, clientId, clientSecret } = settings
    const customFetch = fetch as never
    if (issuer === 'github') {
      const configuration = new openid.Configuration(GITHUB, clientId, clientSecret)
      configuration[openid.customFetch] = customFetch
      return configuration
    }
    return await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [openid.customFetch]: customFetch,
      timeout: TIMEOUT_SECONDS,
      // Whoever runs the service chose the address; a provider on the same machine has no certificate.
      ...(issuer.startsWith('http:') && { execute: [openid.allowInsecureRequests] }),
    })
  }

  /** The provider's own addresses; looked up once, and again after a failure. */
  async function configuration(): Promise<Configuration> {
    configuring ??= configure()
    try {
      return await configuring
    } catch (cause) {
      configuring = undefined
      throw new Refusal('UNAVAILABLE', {
        because: `${settings.name} cannot be reached. Please try again.`,
        cause,
      })
    }
  }

  /** Where to send the browser, and what to remember until it is back. */
  async function begin(
    redirectUri: string,
    { wantsEmail }: { wantsEmail: boolean } = { wantsEmail: false },
  ): Promise<{ address: string; login: OutsideLogin }> {
    const openid = await import('openid-client')
    const login = {
      codeVerifier: openid.randomPKCECodeVerifier(),
      nonce: openid.randomNonce(),
      state: openid.randomState(),
      wantsEmail,
    }
    const isOpenId = settings.issuer !== 'github'
    const scopes = isOpenId ? SCOPES.openId : SCOPES.gitHub
    const address = openid.buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri,
      scope: wantsEmail ? scopes.member : scopes.reader,
      code_challenge: await openid.calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: 'S256',
      state: login.state,
      ...(isOpenId && { nonce: login.nonce }),
    })
    return { address: address.href, login }
  }

  /**
   * Who came back. The provider's tokens say that, and are then dropped.
   *
   * @throws Refusal BAD_REQUEST where the provider refused, or the answer is not the one that was asked for
   */
  async function finish(cameBackTo: URL, login: OutsideLogin): Promise<OutsideIdentity> {
    const openid = await import('openid-client')
    const configured = await configuration()
    const isOpenId = settings.issuer !== 'github'
    try {
      const tokens = await openid.authorizationCodeGrant(configured, cameBackTo, {
        pkceCodeVerifier: login.codeVerifier,
        expectedState: login.state,
        ...(isOpenId && { expectedNonce: login.nonce, idTokenExpected: true }),
      })
      if (!isOpenId) return await readGitHubUser(tokens.access_token, login.wantsEmail)
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('no id token')
      const { email, email_verified: isVerified } = claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified === true && typeof email === 'string' ? email : undefined,
      }
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      throw new Refusal('BAD_REQUEST', {
        because: `Signing in with ${settings.name} did not work.`,
        cause: withoutAnswer(cause),
      })
    }
  }

  async function askGitHub(accessToken: string, address: string): Promise<unknown> {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' },
    })
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`)
    return await answer.json()
  }

  async function readGitHubUser(accessToken: string, wantsEmail: boolean): Promise<OutsideIdentity> {
    const user = (await askGitHub(accessToken, GITHUB_USER)) as { id?: unknown }
    if (typeof user.id !== 'number') throw new Error('GitHub did not say who it is')
    const emails = wantsEmail ? await askGitHub(accessToken, `${GITHUB_USER}/emails`) : []
    return { issuer: GITHUB.issuer, subject: String(user.id), email: verifiedEmailOf(emails) }
  }

  const issuer = settings.issuer === 'github' ? GITHUB.issuer : settings.issuer
  return { id: settings.id, name: settings.name, issuer, begin, finish }
}

/** The address that a person at GitHub uses first, if GitHub says that it is theirs. */
function verifiedEmailOf(emails: unknown): string | undefined {
  const rows = (Array.isArray(emails) ? emails : []) as {
    email?: unknown
    primary?: unknown
    verified?: unknown
  }[]
  const first = rows.find(({ primary, verified }) => primary === true && verified === true)?.email
  return typeof first === 'string' ? first : undefined
}

export type OutsideProvider = ReturnType<typeof createOutsideProvider>
