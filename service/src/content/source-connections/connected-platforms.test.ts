import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { startAtlassianGateway } from '../../../test/connectors/atlassian-gateway.ts'
import { shareConnectWorld, type ConnectionRecord } from '../../../test/connectors/connect-world.ts'
import { startConfluence } from '../../../test/connectors/confluence-stand-in.ts'
import { TIMEOUT, type SourceModel } from '../../../test/connectors/connector-world.ts'
import { startGithub } from '../../../test/connectors/github-stand-in.ts'
import { startJira } from '../../../test/connectors/jira-stand-in.ts'
import { startNotion } from '../../../test/connectors/notion-stand-in.ts'
import {
  startAuthorizationServer,
  type AuthorizationRules,
  type ConnectedAccounts,
} from '../../../test/connectors/oauth-stand-in.ts'
import { createRandom } from '../../../test/connectors/random.ts'
import type { StandInRequest } from '../../../test/connectors/stand-in-server.ts'
import { OAUTH_PLATFORMS, type SourcePlatform } from './oauth-platforms.ts'

const APP = { clientId: 'app.example', clientSecret: 'CANARYclientsecret' }
const openWorld = shareConnectWorld({ atlassian: APP, notion: APP, github: APP })

/** What plays a platform, with the API that its connector reads. */
interface Played extends AsyncDisposable {
  model: SourceModel
  accounts: { of: ConnectedAccounts | undefined }
  /** Attaches files to an item, for a product that has them. */
  attach?: () => void
  /** Of the API that takes the tokens. */
  requests: StandInRequest[]
  /** Hosts of the platform beside that of its authorization server. */
  hosts: (authorization: string) => Record<string, string>
}

type Rules = Omit<AuthorizationRules, 'clientId' | 'clientSecret' | 'redirectUrl' | 'givesRefreshToken'>

const ROTATES = { rotates: true } as const
const ATLASSIAN: Rules = {
  ...ROTATES,
  authorizePath: '/authorize',
  tokenPath: '/oauth/token',
  scopes: OAUTH_PLATFORMS.atlassian?.scopes ?? [],
  needsPkce: false,
  clientProof: 'json',
  alsoKnows: ['audience', 'prompt'],
  refusesRefresh: {
    status: 403,
    body: { error: 'unauthorized_client', error_description: 'refresh_token is invalid' },
  },
}

async function startSite(product: 'confluence' | 'jira') {
  if (product === 'jira') return { ...(await startJira()), attach: undefined }
  const confluence = await startConfluence()
  const attach = () => {
    const [page] = confluence.pages.values()
    // More than come with the page.
    if (page !== undefined) for (let file = 0; file < 3; file += 1) confluence.attach(page)
  }
  return { ...confluence, attach }
}

async function playAtlassian(product: 'confluence' | 'jira'): Promise<Played> {
  const { model, attach, ...site } = await startSite(product)
  const gateway = await startAtlassianGateway(product, model)
  return {
    model,
    ...(attach !== undefined && { attach }),
    accounts: gateway.accounts,
    requests: gateway.server.requests,
    hosts: (authorization) => ({
      'auth.atlassian.com': authorization,
      'api.atlassian.com': gateway.server.origin,
    }),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

const PLAYED: Record<
  string,
  { platform: SourcePlatform; rules: Rules; play: () => Promise<Played>; takesBack: string | undefined }
> = {
  Confluence: {
    platform: 'atlassian',
    rules: ATLASSIAN,
    play: async () => await playAtlassian('confluence'),
    takesBack: undefined,
  },
  Jira: {
    platform: 'atlassian',
    rules: ATLASSIAN,
    play: async () => await playAtlassian('jira'),
    takesBack: undefined,
  },
  Notion: {
    platform: 'notion',
    rules: {
      ...ROTATES,
      authorizePath: '/v1/oauth/authorize',
      tokenPath: '/v1/oauth/token',
      revokePath: '/v1/oauth/revoke',
      scopes: [],
      needsPkce: false,
      clientProof: 'basic-json',
      needsHeaders: { 'notion-version': '2025-09-03' },
      alsoKnows: ['owner'],
      // Notion does not say when a token ends.
      present: ({ expires_in: _untold, scope: _none, ...answer }) => ({ body: answer }),
    },
    play: async () => {
      const notion = await startNotion()
      const { origin, requests } = notion.server
      const hosts = () => ({ 'api.notion.com': origin, notion: origin })
      const dispose = notion[Symbol.asyncDispose]
      const { model, accounts } = notion
      return { model, accounts, requests, hosts, [Symbol.asyncDispose]: dispose }
    },
    takesBack: 'POST /v1/oauth/revoke',
  },
  GitHub: {
    platform: 'github',
    rules: {
      ...ROTATES,
      authorizePath: '/login/oauth/authorize',
      tokenPath: '/login/oauth/access_token',
      revokePath: `/applications/${APP.clientId}/token`,
      revokesBy: { method: 'DELETE', field: 'access_token' },
      scopes: [],
      needsPkce: true,
      refusesRefresh: {
        body: {
          error: 'bad_refresh_token',
          error_description: 'The refresh token passed is incorrect or expired.',
        },
      },
    },
    play: async () => {
      const github = await startGithub()
      const { origin, requests } = github.server
      const hosts = (authorization: string) => ({
        'github.com': authorization,
        'api.github.com': origin,
        github: origin,
      })
      const { model, accounts } = github
      return { model, accounts, requests, hosts, [Symbol.asyncDispose]: github[Symbol.asyncDispose] }
    },
    takesBack: `DELETE /applications/${APP.clientId}/token`,
  },
}

verifies(
  'sources.connected-accounts',
  'Confluence, Jira, Notion and GitHub are read with a connected account: renewed, connected again, and taken back',
  async () => {
    for (const [name, { platform, rules, play, takesBack }] of Object.entries(PLAYED)) {
      const world = openWorld()
      await using played = await play()
      const { model, requests } = played
      await using server = await startAuthorizationServer({
        ...rules,
        ...APP,
        redirectUrl: `https://answers.example.com/connect-source/${platform}`,
        givesRefreshToken: () => true,
      })
      played.accounts.of = server
      Object.assign(world.apiOrigins, played.hosts(server.server.origin))
      const browser = await world.openBrowser()
      const baseId = await browser.makeBase()
      const visit = async (address: string) => await browser.comeBack(await server.visit(address))
      const started = await browser.start(baseId, platform)
      expect([name, await visit(started.body.authorize_url)]).toMatchObject([name, { status: 200 }])
      const connection = async () =>
        (await browser.ask<ConnectionRecord>('GET', `/source-connections/${started.body.id}`)).body
      expect([name, await connection()]).toMatchObject([
        name,
        { status: 'connected', account: expect.stringMatching(/Acme|reader/) },
      ])

      const random = createRandom(5)
      for (let item = 0; item < 6; item += 1) model.add(random)
      played.attach?.()
      const source = await browser.ask('POST', `/knowledge-bases/${baseId}/sources`, {
        type: model.type,
        name: 'connected',
        config: model.config,
        connection_id: started.body.id,
      })
      const sourceId = source.body['id'] ?? ''
      const sync = async () => {
        const begun = await browser.ask('POST', `/sources/${sourceId}/sync`)
        world.clock.time = new Date(world.clock.time.getTime() + 60_000)
        await world.syncs.jobs[0]?.handle({}, new AbortController().signal)
        return (
          await browser.ask<{ status: string; error: string | null }>('GET', `/syncs/${begun.body['id']}`)
        ).body
      }
      const indexed = async () => {
        const { rows } = await world.storage.execute(
          `select external_id, visibility from documents where source_id = '${sourceId}' and live_version is not null`,
        )
        return new Map(rows.map((row) => [row['external_id'], row['visibility'] === 'restricted']))
      }
      const expected = () =>
        new Map([...model.documents()].map(([id, { isRestricted }]) => [id, isRestricted]))
      expect([name, await sync()]).toMatchObject([name, { status: 'succeeded', error: null }])
      expect([name, await indexed()]).toEqual([name, expected()])

      // The token ends without a word, and each refresh token works once: it is renewed once, and read on.
      for (let renewal = 0; renewal < 2; renewal += 1) {
        server.expireAccess()
        model.add(random)
        expect([name, await sync()]).toMatchObject([name, { status: 'succeeded' }])
        expect([name, await indexed()]).toEqual([name, expected()])
      }

      server.revokeAll()
      expect([name, await sync()]).toMatchObject([
        name,
        { status: 'failed', error: expect.stringMatching(/Open this source.*connect \w+ again/) },
      ])
      expect(await connection()).toMatchObject({ status: 'broken' })
      const again = await browser.ask<ConnectionRecord>(
        'POST',
        `/source-connections/${started.body.id}/reconnect`,
      )
      expect(await visit(again.body.authorize_url)).toMatchObject({ status: 200 })
      expect([name, await sync()]).toMatchObject([name, { status: 'succeeded' }])

      const { rows } = await world.storage.execute(
        'select to_jsonb(t)::text as row from source_connections t',
      )
      expect(JSON.stringify(rows)).not.toMatch(/access-\d|refresh-\d|code-\d|CANARY/)
      // As usual, the access token has ended since the last sync: it alone would end nothing at the platform.
      server.expireAccess()
      requests.length = 0
      expect((await browser.ask('DELETE', `/source-connections/${started.body.id}`)).status).toBe(204)
      const asked = requests.map(({ method, path }) => `${method} ${path}`)
      const revocations = asked.filter((one) => one !== `POST ${rules.tokenPath}`)
      expect([name, revocations]).toEqual([name, takesBack === undefined ? [] : [takesBack]])
      expect([name, server.canRenew()]).toEqual([name, takesBack === undefined])
    }
  },
  TIMEOUT.timeout,
)

test(
  'a site that the account does not open, and a server of one’s own, are told and get no token',
  TIMEOUT,
  async () => {
    const world = openWorld()
    await using played = await playAtlassian('confluence')
    await using server = await startAuthorizationServer({
      ...ATLASSIAN,
      ...APP,
      redirectUrl: 'https://answers.example.com/connect-source/atlassian',
      givesRefreshToken: () => true,
    })
    played.accounts.of = server
    Object.assign(world.apiOrigins, played.hosts(server.server.origin))
    const browser = await world.openBrowser()
    const baseId = await browser.makeBase()
    const started = await browser.start(baseId, 'atlassian')
    await browser.comeBack(await server.visit(started.body.authorize_url))
    const preview = await browser.ask<{ error: string | null }>(
      'POST',
      `/knowledge-bases/${baseId}/sources/preview`,
      {
        type: 'confluence',
        config: { url: 'https://elsewhere.example/wiki' },
        connection_id: started.body.id,
      },
    )
    expect(preview.body.error).toMatch(
      /does not open elsewhere\.example\. Connect it again.*choose that site/,
    )
    expect(played.model.server.requests).toEqual([])
  },
)
