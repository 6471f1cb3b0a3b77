import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** Where nobody listens: the test hands the code over itself. */
const REDIRECT = 'http://127.0.0.1:43118/callback'

/** What a tool remembers of its sign-in, in the form that both client libraries ask for, and how often it sent its person to the page. */
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
    // Without it the libraries keep what the service calls invalid.
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') tokens = undefined
      if (scope === 'all' || scope === 'client') client = undefined
    },
  }
  return {
    provider,
    /** Addresses that its person was sent to. */
    opened,
    tokens: () => tokens,
    clientId: () => client?.client_id ?? '',
  }
}

export type ToolMemory = ReturnType<typeof createToolMemory>
