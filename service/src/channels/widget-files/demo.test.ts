import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAxe } from '../../../test/open-axe.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Base {
  id: string
  client_key: { id: string; key: string }
}

let local: TestService
/** An install for others: pages of this machine learn nothing there either. */
let hosted: TestService
let base: Base

beforeAll(async () => {
  local = await startTestService()
  base = await local.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Acme <docs>' })
  hosted = await startTestService({ CITEWELL_PUBLIC_URL: 'https://answers.example.com', HOST: '127.0.0.1' })
  await hosted.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Hosted secrets' })
})
afterAll(async () => {
  await local[Symbol.asyncDispose]()
  await hosted[Symbol.asyncDispose]()
})

/** `fetch` does not let a test say which host it asks for. */
const open = async (path: string, headers: Record<string, string> = {}, at = local) =>
  await new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = httpRequest(new URL(path, at.address), { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })

const tagOf = (page: string) => /<script async src="\/widget\.js"([^>]*)>/.exec(page)?.[1]?.trim()

test('on this machine the demo has the widget of the first base, without a key, below the strictest policy', async () => {
  const page = await open('/widget/demo')

  expect(page.status).toBe(200)
  expect(tagOf(page.text)).toBe(`data-knowledge-base-id="${base.id}"`)
  expect(page.text).toContain('Acme &lt;docs&gt;')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("script-src 'self'; connect-src 'self'; style-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  // What that policy would block is not there.
  expect(page.text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/)
  using axe = openAxe()
  const { violations, passed } = await axe.violationsOn(page.text)
  expect(violations).toEqual([])
  expect(passed.length).toBeGreaterThan(20)
})

test('each mode, theme and language is one link away', async () => {
  const { text } = await open('/widget/demo')
  const links = [...text.matchAll(/href="(\/widget\/demo\?[^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )

  expect(links).toHaveLength(5 + 3 + 12)
  for (const link of links) {
    const page = await open(link)
    const [name, value] = [...new URL(link, local.address).searchParams].at(-1) ?? ['', '']
    const launcher = value === 'embedded' ? ' data-launcher="none"' : ''
    expect([link, page.status, tagOf(page.text)]).toEqual([
      link,
      200,
      `data-knowledge-base-id="${base.id}"${launcher} data-${name}="${value}"`,
    ])
  }
  expect((await open('/widget/demo?mode=embedded')).text).toContain('<citewell-ask>')
})

test('an address cannot write markup, name another service or put a link into the page', async () => {
  const hostile = String(
    new URLSearchParams({
      accent: '"><script>alert(1)</script>',
      endpoint: 'https://evil.example',
      'support-url': 'javascript:alert(1)',
      'product-name': 'x'.repeat(10_000),
      theme: 'dark" onload="alert(1)',
      constructor: 'x',
    }),
  )
  for (const path of [`/widget/demo?${hostile}`, `/widget/preview?${hostile}`]) {
    const { status, text } = await open(path)
    expect(status).toBe(200)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('evil.example')
    expect(text).not.toContain('javascript:')
    expect(text).not.toContain('dark" onload')
    expect(text.length).toBeLessThan(60_000)
  }
})

test('the tag to copy is one tag, whatever the address says', async () => {
  const name = 'Acme & "Sons" "><script src=//evil.example></script>'
  const { text } = await open(`/widget/demo?${String(new URLSearchParams({ 'product-name': name }))}`)
  const [, tag = ''] = /<code>(&lt;script async src=[^]*?)<\/code>/.exec(text) ?? []
  // Written into a page twice: as a text to read, and, by who copies it, as a tag.
  const written = tag
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  expect(written).toMatch(
    /^<script async src="[^"]+"\s+data-knowledge-base-id="[^"]+"\s+data-product-name="[^"]+"><\/script>$/,
  )
  expect(written).toContain('"Acme &amp; &quot;Sons&quot; &quot;><script src=//evil.example></script>"')
})

test('others learn nothing of what is stored here; who knows an id sees the widget of that base', async () => {
  const asked = [
    await open('/widget/demo', { host: 'attacker.example' }),
    await open('/widget/demo', { 'x-forwarded-for': '203.0.113.9' }),
    await open('/widget/demo', {}, hosted),
    await open('/widget/demo?knowledge_base_id=it', { host: 'attacker.example' }),
  ]
  for (const { status, text } of asked) {
    expect(status).toBe(404)
    expect(text).not.toMatch(/Acme|Hosted secrets|data-knowledge-base-id/)
  }
  const named = await open(`/widget/demo?knowledge_base_id=${base.id}`, { host: 'docs.example' })
  expect([named.status, tagOf(named.text)]).toEqual([200, `data-knowledge-base-id="${base.id}"`])
  expect(named.text).not.toContain('Acme &lt;docs')
})

test('the preview is framed by pages of this service alone, and never kept', async () => {
  const preview = await open(`/widget/preview?knowledge_base_id=${base.id}&mode=sidebar&accent=%230b6e69`)

  expect([preview.status, tagOf(preview.text)]).toEqual([
    200,
    `data-knowledge-base-id="${base.id}" data-mode="sidebar" data-accent="#0b6e69"`,
  ])
  expect(preview.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(preview.headers['cache-control']).toBe('no-store')
  expect(preview.headers['x-frame-options']).toBeUndefined()
})

test('the preview of a form deflector is its form, without the widget, and an address writes no markup into it', async () => {
  const formId = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
  const address = `/widget/preview?knowledge_base_id=${base.id}&form_id=${formId}`
  const preview = await open(address)

  expect(preview.status).toBe(200)
  expect(preview.text).toContain('<script type="module" src="/widget/form.js"></script>')
  expect(preview.text).toMatch(
    new RegExp(`<citewell-form[^>]*knowledge-base-id="${base.id}"[^>]*form-id="${formId}"`),
  )
  expect(tagOf(preview.text)).toBeUndefined()
  expect(preview.text).not.toContain('The request was sent')
  expect((await open(`${address}&description=help`)).text).toContain('The request was sent')
  const hostile = await open(
    `/widget/preview?form_id=%22%3E%3Cimg+src%3Dx%3E&knowledge_base_id=%22%3E%3Cb%3E`,
  )
  expect(hostile.text).not.toMatch(/<img|<b>|<citewell-form/)
})

test('the home page of this machine links the demo', async () => {
  expect((await open('/')).text).toContain('href="/widget/demo"')
  expect((await open('/', { host: 'attacker.example' })).text).not.toContain('/widget/demo')
})
