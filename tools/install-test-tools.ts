/**
 * Installs the programs that the tests use if they are missing: a Chromium, a Firefox, git and curl. They come from Debian's packages, which needs root;
 * elsewhere a message lists what to install. Request Tracker is installed too where that works; without it, its tests are skipped. Runs before
 * `npm test`.
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

const isRoot = process.getuid?.() === 0 && has('apt-get')

const apt = (...given: string[]) =>
  execFileSync('apt-get', given, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

const install = (packages: readonly string[]) =>
  // `--no-remove`: what somebody has installed is never exchanged for it.
  apt('install', '-y', '-qq', '--no-install-recommends', '--no-remove', ...packages)

if (missing.length > 0) {
  if (!isRoot) {
    console.error(
      `The tests need ${missing.join(', ')}. Install them (on Debian: apt-get install ${missing.join(' ')}), then run npm test again.`,
    )
    process.exit(1)
  }
  console.log(`Installing what the tests need: ${missing.join(', ')} …`)
  apt('update', '-qq')
  install(missing)
}

/** The real Request Tracker, with its own web server. Its packages need a mail program: `msmtp-mta` is one that runs no service. */
const REQUEST_TRACKER = ['request-tracker5', 'rt5-standalone', 'rt5-db-sqlite', 'msmtp-mta']

if (!existsSync('/usr/share/request-tracker5') && isRoot) {
  console.log('Installing Request Tracker for its tests …')
  try {
    if (missing.length === 0) apt('update', '-qq')
    install(REQUEST_TRACKER)
  } catch {
    console.warn('Request Tracker could not be installed: its tests are skipped.')
  }
}
