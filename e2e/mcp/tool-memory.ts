import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** A redirect URI without a listener: the test passes the code on itself. */
const REDIRECT = 'http://127.0.0.1:43118/callback'

/** Storage of a tool's sign-in state, in the form that both client libraries require, and a record of the URLs that it opened. */
export function createToolMemory() {
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let found: OAuthDiscoveryState | undefined
  const opened: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'A tool', redirect_uris: [REDIRECT] },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    redirectToAuthorization: (address) => {
      opened.push(address)
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      found = given
    },
    discoveryState: () => found,
    // Without this function the libraries keep credentials that the service calls invalid.
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') tokens = undefined
      if (scope === 'all' || scope === 'client') client = undefined
    },
  }
  return {
    provider,
    /** Authorization URLs that the user was sent to. */
    opened,
    tokens: () => tokens,
    clientId: () => client?.client_id ?? '',
  }
}

export type ToolMemory = ReturnType<typeof createToolMemory>
