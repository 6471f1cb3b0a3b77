import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const SDK = resolve(import.meta.dirname, '../../sdk')
const run = promisify(execFile)

export interface InstalledSdk extends Disposable {
  /** Of the project. */
  folder: string
}

/** An empty project in which the SDK is installed as npm publishes it. */
export async function installPackedSdk(): Promise<InstalledSdk> {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-packed-'))
  // No script runs by itself when npm packs (.npmrc).
  await run('npm', ['run', 'build'], { cwd: SDK })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: SDK })
  const [tarball = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
