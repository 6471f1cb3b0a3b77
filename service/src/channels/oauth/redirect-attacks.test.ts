import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

const OK = 'https://ok.example/callback'

let world: ReaderWorld
let server: string

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('redirects')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('redirect URIs', () => {
  const TRICKS = [
    'https://evil.example/callback',
    'https://ok.example.evil/callback',
    'https://ok.example@evil.example/callback',
    'https://evil.example/https://ok.example/callback',
    'https://user:password@ok.example/callback',
    'https://ok.example:444/callback',
    'https://ok.example/callback/../evil',
    'https://ok.example/x/../callback',
    'https://ok.example/callback/',
    'https://ok.example/Callback',
    'https://OK.example/callback',
    'HTTPS://ok.example/callback',
    'https://ok.example/callback?next=https://evil.example',
    'https://ok.example/callback#fragment',
    'https://ok.example/callback%2f..%2fevil',
    'https://ok.example/%63allback',
    'https://ok.example\\@evil.example/callback',
    'https://ok.example/callback\r\nset-cookie: a=b',
    'https://ok.example/callback%0d%0aset-cookie:%20a=b',
    ' https://ok.example/callback',
    'https://ok.example./callback',
    'https://оk.example/callback',
    'http://ok.example/callback',
    '//ok.example/callback',
    '//evil.example',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://127.0.0.1:43117/other',
    'http://127.0.0.1:9999/callback/..',
    'http://localhost:43117/callback',
    'http://127.0.0.2:43117/callback',
    'http://127.0.0.1.evil.example:43117/callback',
    'http://[::1]:43117/callback',
    'http://127.1:43117/callback',
    'http://127.0.0.1:43117@evil.example/callback',
    'https://127.0.0.1:43117/callback',
    '',
  ]

  verifies(
    'mcp-attacks.redirects',
    'a redirect URI that is not registered is refused without a redirect',
    async () => {
      const clientId = await world.registered({ redirect_uris: [OK, REDIRECT] })
      const answers = await Promise.all(
        TRICKS.map(async (redirect) => {
          const { url } = world.authorization(clientId, server, { redirect_uri: redirect })
          const answer = await outsideRequest(url, { redirect: 'manual' })
          return [
            redirect,
            answer.status,
            answer.headers.get('location'),
            answer.headers.get('x-frame-options'),
            answer.headers.get('content-security-policy')?.includes("frame-ancestors 'none'"),
          ]
        }),
      )
      const twice = world.authorization(clientId, server, { redirect_uri: OK }).url
      twice.searchParams.append('redirect_uri', 'https://evil.example/')
      const none = world.authorization(clientId, server, { redirect_uri: undefined }).url
      const others = await Promise.all(
        [twice, none].map((url) => outsideRequest(url, { redirect: 'manual' })),
      )

      expect(answers).toEqual(TRICKS.map((redirect) => [redirect, 400, null, 'DENY', true]))
      expect(others.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
        [400, null],
        [400, null],
      ])
    },
  )

  verifies('mcp-attacks.redirects', 'a loopback redirect URI may have any port', async () => {
    const clientId = await world.registered()
    const free = 'http://127.0.0.1:50123/callback'
    const page = await openScriptedBrowser().go(
      world.authorization(clientId, server, { redirect_uri: free }).url,
      [free],
    )

    expect(page.html).toContain('127.0.0.1:50123')
  })

  verifies('mcp-attacks.redirects', 'an unsafe redirect URI cannot be registered', async () => {
    const refused = [
      'http://evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://localhost.evil.example/',
      'http://10.0.0.1/callback',
      'http://[::ffff:127.0.0.1]/callback',
      'https://user@ok.example/',
      'https://ok.example/#fragment',
      'https://ok.example/#',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'blob:https://ok.example/x',
      'vbscript:x',
      'about:blank',
      'view-source:https://ok.example/',
      'web+evil://claude.ai/callback',
      'webcal://claude.ai/callback',
      'ms-msdt:/id',
      'intent://x',
      'mailto:a@b.example',
      'ws://127.0.0.1/',
      'not an address',
      '',
      '/callback',
      // Schemes that open a browser, or a program that opens a given address.
      'microsoft-edge:https://evil.example/cb',
      'Microsoft-Edge:https://evil.example/cb',
      'microsoft-edge-holographic://evil.example/',
      'x-safari-https://evil.example/cb',
      'googlechrome://evil.example/cb',
      'googlechromes://evil.example/cb',
      'firefox://open-url?url=https://evil.example',
      'firefox-focus://open-url?url=evil.example',
      'brave://open-url?url=evil.example',
      'opera-http://evil.example',
      'touch-https://evil.example',
      'vivaldi://evil.example',
      'duckduckgo://evil.example',
      'android-app://com.android.chrome/https/evil.example',
      'shortcuts://run-shortcut?name=x&input=evil.example',
      'workflow://x',
      'slack://open?url=evil.example',
      'evilapp://callback',
      'com.google.chrome://evil.example/',
      'org.mozilla.firefox://evil.example/',
      'com.microsoft.edge:evil.example',
      'ms-settings.evil:x',
      // Another address nested in the scheme of a known tool.
      'vscode://vscode.git/clone?url=https://evil.example/x',
      'vscode://vscode.git/clone?url=HTTPS%3A%2F%2Fevil.example',
      'vscode://vscode.git/clone?url=https%253A%252F%252Fevil.example',
      'vscode://vscode.git/clone?url=//evil.example',
      'cursor:https://evil.example',
      'cursor:https:evil.example',
      'cursor:///https:/evil.example',
      'cursor://a/callback?to=javascript:alert(1)',
      'com.example.tool:/callback?next=http%3aevil.example',
      `com.example.tool:/callback?next=${'%25'.repeat(20)}68ttps:`,
      'com.example.tool:/callback?x=%ff',
      'com..tool:/x',
      'tool.:/x',
    ]
    const answers = await Promise.all(
      [
        ...refused.map((uri) => [uri]),
        ...refused.slice(0, 2).map((uri) => [OK, uri]),
        [],
        [1],
        [null],
        [[OK]],
      ].map(async (uris) => [uris, (await world.register({ redirect_uris: uris })).status]),
    )
    const taken = await Promise.all(
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'vscode://vscode.github-authentication/did-authenticate?windowId=1',
        'windsurf://codeium.windsurf/callback',
        'com.raycast:/oauth?package_name=Extension',
        'com.example.tool:/callback',
        'com.example.tool://callback',
        'https://ok.example/callback?next=https://ok.example/',
      ].map(async (uri) => [uri, (await world.register({ redirect_uris: [uri, REDIRECT] })).status]),
    )
    const kinds = await Promise.all(
      ['web', 'native', 'other', 1].map(async (type) => {
        const answer = await world.register({
          application_type: type,
          redirect_uris: ['http://evil.example/'],
        })
        return [answer.status, ((await answer.json()) as { error: string }).error]
      }),
    )

    expect(answers.filter(([, status]) => status !== 400)).toEqual([])
    expect(taken.filter(([, status]) => status !== 201)).toEqual([])
    expect(kinds).toEqual(kinds.map(() => [400, 'invalid_redirect_uri']))
  })
})
