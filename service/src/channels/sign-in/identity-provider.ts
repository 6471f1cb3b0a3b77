import type { Configuration, ServerMetadata } from 'openid-client'
import { Refusal } from '../../kernel/refusal.ts'
import { isStorableText } from '../../kernel/storable-text.ts'

/** An identity provider, as the operator configured it. */
export interface IdentityProviderSettings {
  /** Used in addresses: `google`, `github`, `oidc`. */
  id: string
  /** Shown on the button. */
  name: string
  clientId: string
  clientSecret: string
  /** Address of an OpenID provider; `github` for GitHub, which is not one. */
  issuer: string
}

/** The account of a person at the provider. */
export interface ExternalIdentity {
  /** The provider's address and its id of the person, which never changes. */
  issuer: string
  subject: string
  /** Only if the provider says that it is verified. Stored for members, never for readers. */
  email: string | undefined
}

/** What has to be remembered between the redirect to the provider and the callback. */
export interface ProviderLogin {
  codeVerifier: string
  nonce: string
  state: string
  /** Whether to ask for the e-mail: for members yes; for readers only the identity is asked for. */
  wantsEmail: boolean
}

/** Timeout of one request to the provider. */
const TIMEOUT_SECONDS = 10

const GITHUB = {
  issuer: 'https://github.com',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
}
const GITHUB_USER = 'https://api.github.com/user'

/** The scopes, as few as possible. */
const SCOPES = {
  openId: { reader: 'openid', member: 'openid email' },
  gitHub: { reader: 'read:user', member: 'read:user user:email' },
}

/** Longest identifier of a person that OpenID Connect allows, and longest address of the contract. */
const MAX_SUBJECT_CHARACTERS = 255
const MAX_EMAIL_CHARACTERS = 320

/** @throws Error for an identifier that cannot be stored: a part of it would be another person's */
function identityOf(issuer: string, subject: string, email: unknown): ExternalIdentity {
  if (subject.length > MAX_SUBJECT_CHARACTERS || !isStorableText(subject))
    throw new Error('the identifier of the person is too long, or has characters that it must not have')
  const isUsable = typeof email === 'string' && email.length <= MAX_EMAIL_CHARACTERS && isStorableText(email)
  return { issuer, subject, email: isUsable ? email : undefined }
}

/** Error messages are truncated here: a provider may write anything. */
const FAULT_CHARACTERS = 300

/** A copy of the error that is safe to log: the original carries the whole response of the provider, or claims about the person. */
function redactProviderError(fault: unknown): Error {
  if (!(fault instanceof Error)) return new Error('an unknown error')
  const code = 'code' in fault && typeof fault.code === 'string' ? `${fault.code}: ` : ''
  const error = 'error' in fault && typeof fault.error === 'string' ? ` (${fault.error})` : ''
  return new Error(`${code}${fault.message}${error}`.slice(0, FAULT_CHARACTERS))
}

/** Whether ID tokens can be checked with published keys: the signatures `HS…` are made with the client's secret. */
const publishesKeys = (provider: ServerMetadata): boolean =>
  provider.jwks_uri !== undefined &&
  (provider.id_token_signing_alg_values_supported ?? ['RS256']).some((name) => !name.startsWith('HS'))

export interface IdentityProviderDeps {
  /** `fetch` with the SSRF guard. */
  fetch: typeof globalThis.fetch
}

/** Signs people in at a provider: OpenID Connect with PKCE, state and nonce; GitHub by its own API. */
export function createIdentityProvider(settings: IdentityProviderSettings, { fetch }: IdentityProviderDeps) {
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
      execute: [
        // The operator chose the address; a provider on the same machine has no certificate.
        ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
        // The ID token comes from the provider itself. Whoever gets between needs its keys too, if it publishes them.
        (discovered) => {
          if (publishesKeys(discovered.serverMetadata())) openid.enableNonRepudiationChecks(discovered)
        },
      ],
    })
  }

  /** The provider's endpoints; discovered once, and again after a failure. */
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

  /** Where to redirect the browser, and what to remember until it returns. */
  async function begin(
    redirectUri: string,
    { wantsEmail }: { wantsEmail: boolean } = { wantsEmail: false },
  ): Promise<{ address: string; login: ProviderLogin }> {
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
   * The identity of the person who came back, read from the provider's tokens, which are then discarded.
   *
   * @throws Refusal BAD_REQUEST if the provider refused, or the response does not belong to this login
   */
  async function finish(cameBackTo: URL, login: ProviderLogin): Promise<ExternalIdentity> {
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
      if (claims === undefined) throw new Error('the response has no ID token')
      const { email, email_verified: isVerified } = claims
      return identityOf(claims.iss, claims.sub, isVerified === true ? email : undefined)
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      throw new Refusal('BAD_REQUEST', {
        because: `Signing in with ${settings.name} failed. Please try again.`,
        cause: redactProviderError(cause),
      })
    }
  }

  async function askGitHub(accessToken: string, address: string): Promise<unknown> {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' },
    })
    if (!answer.ok) throw new Error(`GitHub answered with status ${answer.status}`)
    return await answer.json()
  }

  async function readGitHubUser(accessToken: string, wantsEmail: boolean): Promise<ExternalIdentity> {
    const user = (await askGitHub(accessToken, GITHUB_USER)) as { id?: unknown }
    if (typeof user.id !== 'number') throw new Error('GitHub did not return the id of the user')
    const emails = wantsEmail ? await askGitHub(accessToken, `${GITHUB_USER}/emails`) : []
    return identityOf(GITHUB.issuer, String(user.id), verifiedEmailOf(emails))
  }

  const issuer = settings.issuer === 'github' ? GITHUB.issuer : settings.issuer
  return { id: settings.id, name: settings.name, issuer, begin, finish }
}

/** The primary e-mail address at GitHub, if it is verified. */
function verifiedEmailOf(emails: unknown): string | undefined {
  const rows = (Array.isArray(emails) ? emails : []) as {
    email?: unknown
    primary?: unknown
    verified?: unknown
  }[]
  const first = rows.find(({ primary, verified }) => primary === true && verified === true)?.email
  return typeof first === 'string' ? first : undefined
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

/** The provider of the button that was pressed. Throws BAD_REQUEST if none has this id. */
export function requireProvider(providers: readonly IdentityProvider[], chosenId: unknown): IdentityProvider {
  const chosen = providers.find(({ id }) => id === chosenId)
  if (chosen === undefined)
    throw new Refusal('BAD_REQUEST', { because: 'Choose one of the ways to sign in.' })
  return chosen
}
