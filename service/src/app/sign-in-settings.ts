import { z } from 'zod'
import type { IdentityProviderSettings } from '../channels/sign-in/sign-in.ts'
import { emptyIsUnset, webAddress } from './read-environment.ts'

const optional = emptyIsUnset(z.string().optional())

/** Providers that readers and members may sign in with: each needs both of its first two. */
export const signInEnvironment = {
  CITEWELL_GOOGLE_CLIENT_ID: optional,
  CITEWELL_GOOGLE_CLIENT_SECRET: optional,
  CITEWELL_GITHUB_CLIENT_ID: optional,
  CITEWELL_GITHUB_CLIENT_SECRET: optional,
  CITEWELL_OIDC_CLIENT_ID: optional,
  CITEWELL_OIDC_CLIENT_SECRET: optional,
  CITEWELL_OIDC_ISSUER: emptyIsUnset(webAddress().optional()),
  CITEWELL_OIDC_NAME: optional,
}

type SignInVariables = { [Name in keyof typeof signInEnvironment]?: string | undefined }

/** What does not go together, by the setting to correct. */
export function signInFaults(read: SignInVariables): [keyof SignInVariables, string][] {
  const faults: [keyof SignInVariables, string][] = []
  for (const provider of ['GOOGLE', 'GITHUB', 'OIDC'] as const) {
    const [id, secret] = [read[`CITEWELL_${provider}_CLIENT_ID`], read[`CITEWELL_${provider}_CLIENT_SECRET`]]
    if ((id === undefined) !== (secret === undefined))
      faults.push([
        `CITEWELL_${provider}_CLIENT_SECRET`,
        `set CITEWELL_${provider}_CLIENT_ID and it together, or neither`,
      ])
  }
  if ((read.CITEWELL_OIDC_CLIENT_ID === undefined) !== (read.CITEWELL_OIDC_ISSUER === undefined))
    faults.push(['CITEWELL_OIDC_ISSUER', 'needs CITEWELL_OIDC_CLIENT_ID, and the other way round'])
  return faults
}

/** The providers that are set up, in the order of their buttons. */
export function signInSettingsOf(read: SignInVariables): IdentityProviderSettings[] {
  const offered = [
    {
      id: 'google',
      name: 'Google',
      clientId: read.CITEWELL_GOOGLE_CLIENT_ID,
      clientSecret: read.CITEWELL_GOOGLE_CLIENT_SECRET,
      issuer: 'https://accounts.google.com',
    },
    {
      id: 'github',
      name: 'GitHub',
      clientId: read.CITEWELL_GITHUB_CLIENT_ID,
      clientSecret: read.CITEWELL_GITHUB_CLIENT_SECRET,
      issuer: 'github',
    },
    {
      id: 'oidc',
      name: read.CITEWELL_OIDC_NAME ?? 'your organisation',
      clientId: read.CITEWELL_OIDC_CLIENT_ID,
      clientSecret: read.CITEWELL_OIDC_CLIENT_SECRET,
      issuer: read.CITEWELL_OIDC_ISSUER,
    },
  ]
  return offered.flatMap(({ clientId, clientSecret, issuer, ...provider }) =>
    clientId === undefined || clientSecret === undefined || issuer === undefined
      ? []
      : [{ ...provider, clientId, clientSecret, issuer }],
  )
}
