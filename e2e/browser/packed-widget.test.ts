import { longUnless } from '@citewell/spec/long-unless'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODES, PATH } from '../nodes.ts'
import { openChromium } from '../open-chromium.ts'
import { resolvedBy, typeFaults } from '../type-faults.ts'
import { ask } from './open-browser.ts'
import { startWidgetWorld } from './widget-world.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const WIDGET = join(ROOT, 'widget')
const run = promisify(execFile)

const TYPED = `
import { mount } from '@citewell/widget'
const widget = mount({ endpoint: 'https://answers.example.com', knowledgeBaseId: 'kb', mode: 'sidebar', search: false })
const stop = widget.on('answer', ({ covered, ms }) => { const both: [boolean, number] = [covered, ms]; return void both })
// @ts-expect-error there is no such event
widget.on('nothing', () => {})
// @ts-expect-error the service has to be named
mount({ knowledgeBaseId: 'kb' })
await widget.ready
widget.open({ tab: 'search' })
stop()
`

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'citewell-packed-'))
  // No script runs by itself when npm packs (.npmrc).
  await run('npm', ['run', 'build'], { cwd: WIDGET })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: WIDGET })
  const [tarball = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package has nothing to complain about, and brings nothing else', async () => {
  const { messages } = await publint({ pkgDir: WIDGET, strict: true })
  expect(messages).toEqual([])
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@citewell',
  ])
  expect(readdirSync(join(folder, 'node_modules/@citewell'))).toEqual(['widget'])
})

test.each(NODES)(
  'a server that renders pages may load it without a build, on the Node of $of',
  async ({ node }) => {
    const program = `const { mount } = await import('@citewell/widget'); console.log(process.version, typeof mount, import.meta.resolve('@citewell/widget/widget.js').endsWith('/dist/widget.js'))`
    const { stdout } = await run(node, ['--input-type=module', '--eval', program], {
      cwd: folder,
      env: { PATH },
    })
    expect(stdout).toMatch(/^v(?:2\d|[3-9]\d)\.\S+ function true\n$/)
  },
)

for (const resolution of ['nodenext', 'bundler'] as const) {
  test(
    `its types are complete for module resolution ${resolution}`,
    longUnless(resolution === 'nodenext'),
    async () => {
      writeFileSync(join(folder, 'typed.ts'), TYPED)
      const options = {
        ...resolvedBy(resolution),
        lib: ['es2022', 'dom', 'dom.iterable'],
        skipLibCheck: false,
      }
      expect(await typeFaults(folder, ['typed.ts'], options)).toBe('')
    },
  )
}

test('mounted by a page from the installed package, it answers from the service; destroyed, it is gone', async () => {
  const [world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  try {
    const script = readFileSync(join(folder, 'node_modules/@citewell/widget/dist/mount.js'), 'utf8')
    world.pages.set('/mount.js', script, { 'content-type': 'text/javascript' })
    world.pages.set(
      '/app',
      `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><script type="module">
      import { mount } from '/mount.js'
      globalThis.widget = mount({ endpoint: '${world.service.origin}', knowledgeBaseId: '${world.base.id}', mode: 'sidebar' })
      </script><body><h1>App</h1></body></html>`,
    )
    const page = await browser.newPage()
    await page.goto(`${world.pages.origin}/app`)
    await page.locator('button[part=launcher]').click()
    await ask(page, 'When are keys rotated?')
    expect(await page.locator('.turn .answer').innerText()).toContain('Keys are rotated every day')
    await page.evaluate('widget.destroy()')
    expect(await page.locator('citewell-widget').count()).toBe(0)
  } finally {
    await browser.close()
    await world.stop()
  }
})
