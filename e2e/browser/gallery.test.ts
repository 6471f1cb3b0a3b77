import { readFile } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDashboard } from '../../dashboard/build.ts'
import { faultsOf } from './page-faults.ts'
import { openChromium } from '../open-chromium.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Colours do not depend on the width. */
const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const

let folder: string
let server: Server
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'citewell-gallery-'))
  await buildDashboard({ outDir: folder, page: 'gallery.html' })
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    readFile(join(folder, path)).then(
      (bytes) => {
        response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain')
        response.setHeader(
          'content-security-policy',
          "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
        )
        response.end(bytes)
      },
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  browser = await openChromium()
})
afterAll(async () => {
  await browser.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('every component in every state has no fault that axe finds, in light on a screen and in dark on a phone, and nothing hostile becomes markup', async () => {
  const found: string[] = []
  for (const { colorScheme, width } of LOOKS) {
    const context = await browser.newContext({
      colorScheme,
      bypassCSP: false,
      viewport: { width, height: 800 },
    })
    const page = await context.newPage()
    page.on('pageerror', (fault) => found.push(String(fault)))
    const { port } = server.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/gallery.html`)
    async function look(state: string): Promise<void> {
      found.push(...(await faultsOf(page)).map((fault) => `${colorScheme} ${width} ${state} ${fault}`))
      const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (overflow !== 0)
        found.push(`${colorScheme} ${width} ${state}: wider than the screen by ${String(overflow)}`)
    }
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await page.getByRole('button', { name: 'Tell a fault' }).click()
    await look('at rest')

    await page.getByLabel('Name of it').fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByText('Somebody else has changed this').waitFor()
    await page.getByRole('button', { name: 'Open a form' }).click()
    await page.getByLabel('Name in the dialog').fill('Typed')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).waitFor()
    await look('asked')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Open a form' }).click()
    await page.getByLabel('Name in the dialog').waitFor()
    expect(await page.getByRole('button', { name: 'Keep editing' }).count()).toBe(0)
    expect(await page.locator('img, [onerror], a[href^="javascript"]').count()).toBe(0)
    await context.close()
  }
  expect(found).toEqual([])
})
