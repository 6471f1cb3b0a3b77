import { SOURCE_PLATFORMS } from '@citewell/contract/closed-lists'
import { z } from 'zod'
import type { OAuthApps } from '../content/source-connections/source-connections.ts'
import { emptyIsUnset } from './read-environment.ts'

const optional = emptyIsUnset(z.string().optional())

/** Apps that accounts are connected with, to read sources: each needs both of its variables. */
export const connectEnvironment = {
  CITEWELL_CONNECT_GOOGLE_CLIENT_ID: optional,
  CITEWELL_CONNECT_GOOGLE_CLIENT_SECRET: optional,
  CITEWELL_CONNECT_MICROSOFT_CLIENT_ID: optional,
  CITEWELL_CONNECT_MICROSOFT_CLIENT_SECRET: optional,
  CITEWELL_CONNECT_MICROSOFT_TENANT: optional,
  CITEWELL_CONNECT_ATLASSIAN_CLIENT_ID: optional,
  CITEWELL_CONNECT_ATLASSIAN_CLIENT_SECRET: optional,
  CITEWELL_CONNECT_NOTION_CLIENT_ID: optional,
  CITEWELL_CONNECT_NOTION_CLIENT_SECRET: optional,
  CITEWELL_CONNECT_GITHUB_CLIENT_ID: optional,
  CITEWELL_CONNECT_GITHUB_CLIENT_SECRET: optional,
  CITEWELL_CONNECT_SLACK_CLIENT_ID: optional,
  CITEWELL_CONNECT_SLACK_CLIENT_SECRET: optional,
}

type ConnectVariable = keyof typeof connectEnvironment
type ConnectVariables = { [Name in ConnectVariable]?: string | undefined }

/** The variables of the platforms that have them. */
const VARIABLES = SOURCE_PLATFORMS.flatMap((platform) => {
  const names = ['ID', 'SECRET'].map((what) => `CITEWELL_CONNECT_${platform.toUpperCase()}_CLIENT_${what}`)
  const [id, secret] = names.filter((name): name is ConnectVariable => name in connectEnvironment)
  return id === undefined || secret === undefined ? [] : [{ platform, id, secret }]
})

/** What does not go together, by the setting to correct. */
export const connectFaults = (read: ConnectVariables): [ConnectVariable, string][] =>
  VARIABLES.filter(({ id, secret }) => (read[id] === undefined) !== (read[secret] === undefined)).map(
    ({ id, secret }) => [secret, `set ${id} and it together, or neither`],
  )

export const connectAppsOf = (read: ConnectVariables): OAuthApps =>
  Object.fromEntries(
    VARIABLES.flatMap(({ platform, id, secret }) => {
      const [clientId, clientSecret] = [read[id], read[secret]]
      const tenant = platform === 'microsoft' ? read.CITEWELL_CONNECT_MICROSOFT_TENANT : undefined
      return clientId === undefined || clientSecret === undefined
        ? []
        : [[platform, { clientId, clientSecret, tenant }]]
    }),
  )
