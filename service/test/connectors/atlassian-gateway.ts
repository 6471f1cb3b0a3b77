import type { SourceModel } from './connector-world.ts'
import type { ConnectedAccounts } from './oauth-stand-in.ts'
import { startStandIn, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

const CLOUD_ID = '11223344-a1b2-3b33-c444-def123456789'

/**
 * The scope that each part of the API needs: https://developer.atlassian.com/cloud/confluence/rest/v1/ and
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/
 */
const NEEDED_SCOPES: readonly (readonly [RegExp, string])[] = [
  [/^\/wiki\/rest\/api\/content\/search$/, 'search:confluence'],
  [/^\/wiki\/rest\/api\/content\/\d+\/child\/attachment$/, 'read:confluence-content.summary'],
  [
    /^\/wiki\/rest\/api\/content\/\d+\/child\/attachment\/\w+\/download$/,
    'readonly:content.attachment:confluence',
  ],
  [/^\/wiki\/rest\/api\/user\/current$/, 'read:confluence-user'],
  [/^\/rest\/api\/3\/myself$/, 'read:jira-user'],
  [/^\/rest\/api\/3\//, 'read:jira-work'],
]

/** As a stand-in of a site takes it: what a connected account stands for. */
export const basicOf = ({ credentials }: SourceModel): string =>
  `Basic ${Buffer.from(`${credentials?.['email']}:${credentials?.['token']}`).toString('base64')}`

/**
 * Atlassian's gateway, where the tokens of connected accounts are taken: the sites of an account, and the API of a site under
 * `/ex/<product>/<id of the site>`. The site itself does not take them.
 * https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/#3--make-calls-to-the-api-using-the-access-token
 */
export async function startAtlassianGateway(product: 'confluence' | 'jira', model: SourceModel) {
  const accounts: { of: ConnectedAccounts | undefined } = { of: undefined }
  const folder = `/ex/${product}/${CLOUD_ID}`

  async function forward({ path, query, method, body }: StandInRequest): Promise<StandInAnswer> {
    const response = await fetch(`${model.server.origin}${path.slice(folder.length)}?${query.toString()}`, {
      method,
      headers: {
        authorization: basicOf(model),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: {
        'content-type': response.headers.get('content-type') ?? '',
        ...(location !== null && { location }),
      },
      body: await response.text(),
    }
  }

  const server = await startStandIn(async (request) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (accounts.of?.isValid(token) !== true)
      return { status: 401, body: { code: 401, message: 'Unauthorized' } }
    if (request.path === '/oauth/token/accessible-resources') {
      const site = { id: CLOUD_ID, name: 'Acme', url: model.server.origin, scopes: [], avatarUrl: '' }
      return {
        body: [{ ...site, id: 'another-site', name: 'Other', url: 'https://other.atlassian.net' }, site],
      }
    }
    const path = request.path.startsWith(`${folder}/`) ? request.path.slice(folder.length) : ''
    const needed = NEEDED_SCOPES.find(([pattern]) => pattern.test(path))?.[1]
    if (needed !== undefined && !accounts.of.scopesOf(token).includes(needed))
      return { status: 401, body: { code: 401, message: 'Unauthorized; scope does not match' } }
    if (needed !== undefined) return await forward(request)
    return { status: 404, body: { code: 404, message: 'Not Found' } }
  })
  return { server, accounts, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
