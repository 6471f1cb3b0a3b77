import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

let world: ReaderWorld
let server: string

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('registrations')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const countOf = async (kind: string) =>
  Number(
    (await world.citewell.rows(`select count(*) from oauth_records where kind = '${kind}'`))[0]?.['count'],
  )

describe('client registration', () => {
  verifies(
    'mcp-attacks.registrations',
    'a registered client that no one allows is deleted after a day',
    async () => {
      await world.registered()
      const { clientId } = await world.connect(server)
      const before = await countOf('Client')
      await world.citewell.storage.execute(
        `update oauth_records set expires_at = expires_at - interval '24 hours' where kind = 'Client'`,
      )
      const [row] = await world.citewell.rows(
        `select count(*) from oauth_records where kind = 'Client' and (expires_at is null or expires_at > now())`,
      )
      const page = await openScriptedBrowser().go(world.authorization(clientId, server).url, [REDIRECT])

      expect(before).toBe(2)
      expect(Number(row?.['count'])).toBe(1)
      expect(page.url.pathname).toMatch(/^\/connect\//)
    },
  )

  test('visits without consent store no sessions, and their interactions expire within ten minutes', async () => {
    const clientId = await world.registered()
    const [before, interactions] = [await countOf('Session'), await countOf('Interaction')]
    const visits = Array.from({ length: 30 }, () =>
      outsideRequest(world.authorization(clientId, server).url, { redirect: 'manual' }),
    )
    await Promise.all(visits)
    const [row] = await world.citewell.rows(
      `select max(extract(epoch from expires_at - now()))::int as seconds from oauth_records where kind = 'Interaction'`,
    )

    expect((await countOf('Session')) - before).toBe(0)
    expect((await countOf('Interaction')) - interactions).toBe(30)
    expect(row?.['seconds']).toBeLessThanOrEqual(600)
  })

  test('malformed and oversized registrations are refused', async () => {
    const at = `${world.address}/register`
    const post = async (body: string, type = 'application/json') =>
      (await outsideRequest(at, { method: 'POST', headers: { 'content-type': type }, body })).status
    const nested = `{"redirect_uris":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    const answers = [
      await post('not json'),
      await post('[]'),
      await post('null'),
      await post('{}'),
      await post(nested),
      await post(JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(2_000_000) })),
      await post(JSON.stringify({ redirect_uris: [REDIRECT] }), 'text/plain'),
      await post(
        new URLSearchParams({ redirect_uris: REDIRECT }).toString(),
        'application/x-www-form-urlencoded',
      ),
      await post(
        '{"redirect_uris":["https://ok.example/"],"__proto__":{"redirect_uris":["x"]},"client_name":{}}',
      ),
    ]

    expect(answers.filter((status) => status < 400 || status >= 500)).toEqual([201])
  })

  test('a tool that names no method gets no secret; one that names a method with a secret gets one', async () => {
    const [plain, secret] = await Promise.all(
      [{}, { token_endpoint_auth_method: 'client_secret_post' }].map(
        async (fields) => (await (await world.register(fields)).json()) as Record<string, unknown>,
      ),
    )
    expect(plain).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(plain).not.toHaveProperty('client_secret')
    expect(secret).toMatchObject({
      token_endpoint_auth_method: 'client_secret_post',
      client_secret: expect.any(String),
    })
  })

  test('a registration cannot choose its credentials, other grants, or addresses to fetch', async () => {
    const answers = await Promise.all(
      [
        { client_id: 'chosen' },
        { client_secret: 'chosen' },
        { grant_types: ['client_credentials'] },
        { grant_types: ['implicit'], response_types: ['token'] },
        { response_types: ['none'] },
        { token_endpoint_auth_method: 'client_secret_jwt' },
        { token_endpoint_auth_method: 'tls_client_auth' },
        { sector_identifier_uri: 'https://169.254.169.254/x', subject_type: 'pairwise' },
        { scope: 'mcp admin' },
      ].map(async (fields) => {
        const answer = await world.register(fields)
        const body = (await answer.json()) as Record<string, unknown>
        return [answer.status, body['client_id'] === 'chosen' || body['client_secret'] === 'chosen']
      }),
    )

    expect(answers.filter(([, isChosen]) => isChosen)).toEqual([])
    expect(answers.map(([status]) => status)).toEqual([201, 201, 400, 400, 400, 400, 400, 400, 400])
  })
})

describe('the name of a tool', () => {
  const HOSTILE: [string, unknown, string | undefined][] = [
    ['markup', '<img src=x onerror=alert(1)><script>alert(1)</script>', '&lt;img src=x'],
    ['an attribute', '" onmouseover="alert(1)', '&quot; onmouseover='],
    ['a turned line', 'Edi\u202Erot\u2066x', 'Edi rot x'],
    ['what is not seen', 'Cl\u200Baude\u0000\u0007 Co\u00ADde\uFEFF', 'Cl aude Co de'],
    ['colours of a terminal', '\u001B[31mEditor\u001B[0m', '[31mEditor [0m'],
    ['lines', 'Editor\n\nSigned in as owner\r\nSet-Cookie: a=b', 'Editor Signed in as owner Set-Cookie: a=b'],
    ['stacked letters', `Z${'\u0301'.repeat(500)}algo`, 'algo'],
    ['look-alike letters', 'Сlaude Cоde', undefined],
    ['nothing but spaces', '\u2003\u3000 \t', undefined],
    ['a template', '${7*7} {{7*7}} %00', '${7*7} {{7*7}}'],
    ['a path', '../../etc/passwd', '../../etc/passwd'],
  ]

  verifies(
    'mcp-attacks.client-names',
    'the name of a tool is shown as short plain text, whatever it contains',
    async () => {
      const pages = await Promise.all(
        HOSTILE.map(async ([, name]) => {
          const clientId = await world.registered({ client_name: name })
          return await openScriptedBrowser().go(world.authorization(clientId, server).url, [REDIRECT])
        }),
      )

      expect(pages.map(({ html }, at) => html.includes(HOSTILE[at]?.[2] ?? '127.0.0.1:43117'))).toEqual(
        HOSTILE.map(() => true),
      )
      for (const { html, response } of pages) {
        expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>|(?!\s)[\p{Cc}\p{Cf}]/u)
        expect(html).not.toMatch(/\u0301{3}|[Ѐ-ӿ]/u)
        expect(response.headers.get('set-cookie') ?? '').not.toContain('a=b')
      }
    },
  )

  verifies('mcp-attacks.client-names', 'the name of a tool is truncated', async () => {
    const clientId = await world.registered({ client_name: `Editor ${'x'.repeat(10_000)}` })
    const { html } = await openScriptedBrowser().go(world.authorization(clientId, server).url, [REDIRECT])

    expect(html).toContain(`Editor ${'x'.repeat(52)}…`)
    expect(html).not.toContain('x'.repeat(60))
    expect(html.length).toBeLessThan(10_000)
  })

  verifies(
    'mcp-attacks.client-names',
    'the page shows the host of the redirect URI more prominently than the name of the tool',
    async () => {
      const clientId = await world.registered({
        client_name: 'Claude Code',
        redirect_uris: ['https://claude.ai.evil.example/callback'],
      })
      const { url } = world.authorization(clientId, server, {
        redirect_uri: 'https://claude.ai.evil.example/callback',
      })
      const { html } = await openScriptedBrowser().go(url, [REDIRECT])

      expect(html).toContain('<strong>claude.ai.evil.example</strong>')
      expect(html).not.toContain('your own computer')
    },
  )
})
