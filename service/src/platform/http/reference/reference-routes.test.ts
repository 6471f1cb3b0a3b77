import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { HttpEnv } from '../http-app.ts'
import { createReferenceRoutes } from './reference-routes.ts'

function reference() {
  const app = new Hono<HttpEnv>()
  createReferenceRoutes({
    endpoints: ALL_ENDPOINTS,
    publicUrl: () => 'https://citewell.example',
    version: '1.2.3',
  })(app)
  return app
}

test('the reference describes every operation with a curl example', async () => {
  const page = await (await reference().request('/docs')).text()

  for (const operationId of Object.keys(ENDPOINTS)) expect(page).toContain(`id="${operationId}"`)
  expect(page).toContain('https://citewell.example/api/v1/public/knowledge-bases/$KNOWLEDGE_BASE_ID/chat')
  expect(page).toContain('WIDGET_DISABLED')
  expect(page).not.toContain('[object')
  expect(page).not.toContain('undefined')
})

test('every link within the reference has its target', async () => {
  const page = await (await reference().request('/docs')).text()
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)

  expect(targets.length).toBeGreaterThan(200)
  expect(targets.filter((target) => !ids.has(target))).toEqual([])
})

test('the reference loads no third-party content and runs only scripts that are served here', async () => {
  const app = reference()
  const response = await app.request('/docs')
  const page = await response.text()

  expect(response.headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'self'; script-src 'self'",
  )
  const loaded = [...page.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  expect(loaded).toHaveLength(2)
  expect(page).not.toMatch(/<style|<script>| style="| onclick="/)
  for (const address of loaded) {
    expect(address).toMatch(/^\/docs\/reference\./)
    expect((await app.request(address)).status).toBe(200)
  }
})

test('the document is readable from every origin without authentication', async () => {
  const response = await reference().request('/openapi.json')

  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})
