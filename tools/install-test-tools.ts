/**
 * Installs the programs that the tests use if they are missing: a Chromium, a Firefox, git and curl. They come from Debian's packages, which needs root;
 * elsewhere a message lists what to install. Runs before `npm test`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const FIREFOX = '/usr/bin/firefox-esr'

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

const missing: string[] = []
if (process.env['CITEWELL_CHROMIUM_PATH'] === undefined && !CHROMIUMS.some((path) => existsSync(path))) {
  missing.push('chromium')
}
if (!existsSync(FIREFOX)) missing.push('firefox-esr')
if (!has('git')) missing.push('git')
if (!has('curl')) missing.push('curl')

if (missing.length > 0) {
  if (process.getuid?.() !== 0 || !has('apt-get')) {
    console.error(
      `The tests need ${missing.join(', ')}. Install them (on Debian: apt-get install ${missing.join(' ')}), then run npm test again.`,
    )
    process.exit(1)
  }
  console.log(`Installing what the tests need: ${missing.join(', ')} …`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: environment })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  })
}
