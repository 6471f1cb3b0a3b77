/**
 * Installs the programs that the tests use if they are missing: a Chromium, git, curl and Dovecot before `npm test`. With `--long`, before
 * `npm run test:long`, also a Firefox, the Chromium that readers have, and the products that only long tests start: on a new machine these
 * take longer to install than the others. They come from Debian's packages, which needs root; elsewhere a message lists what to install.
 * Without one of the products, its tests are skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Most tests use it, if it is there: it renders the same as Chromium, in a quarter of the processor time. Not every release of Debian has it. */
const SHELL = '/usr/bin/chromium-headless-shell'

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A program that some tests start, and that may be missing. Its packages are installed in this order. */
interface Product {
  name: string
  isThere: () => boolean
  packages: readonly (readonly string[])[]
  /** Its package would start it, and at every start of the machine: tests start one of their own. */
  service?: string
  /** Only long tests start it. */
  isForLong?: true
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'Firefox',
    isThere: () => existsSync('/usr/bin/firefox-esr'),
    packages: [['firefox-esr']],
    isForLong: true,
  },
  {
    // With `php-cgi`, which comes first, PHP does not bring a web server.
    name: 'MediaWiki',
    isThere: () => existsSync('/usr/share/mediawiki/api.php') && has('php'),
    packages: [['php-cgi'], ['mediawiki', 'php-cli', 'php-sqlite3']],
    isForLong: true,
  },
  {
    // It has its own web server. Its packages need a mail program: `msmtp-mta` is one that runs no service.
    name: 'Request Tracker',
    isThere: () => existsSync('/usr/share/request-tracker5'),
    packages: [['request-tracker5', 'rt5-standalone', 'rt5-db-sqlite', 'msmtp-mta']],
    isForLong: true,
  },
  {
    name: 'Dovecot',
    isThere: () => existsSync('/usr/sbin/dovecot') && existsSync('/usr/lib/dovecot/imap'),
    packages: [['dovecot-imapd']],
    service: 'dovecot',
  },
]

function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

const isRoot = process.getuid?.() === 0 && has('apt-get')
let isUpdated = false

function apt(...given: string[]): void {
  execFileSync('apt-get', given, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function updateOnce(): void {
  if (!isUpdated) apt('update', '-qq')
  isUpdated = true
}

function install(packages: readonly string[]): void {
  updateOnce()
  // `--no-remove`: no package that is there may go for one of these.
  apt('install', '-y', '-qq', '--no-install-recommends', '--no-remove', ...packages)
}

/** Asked by packages before they start a service: 101 says no. */
const POLICY = '/usr/sbin/policy-rc.d'

/** Installs what brings a service, and leaves the service off. */
function installOff(service: string, packages: readonly string[]): void {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install(packages)
  } finally {
    if (isOurs) rmSync(POLICY)
  }
  spawnSync('update-rc.d', [service, 'disable'])
}

const isForLong = process.argv.includes('--long')
const missing: string[] = []
if (!has('git')) missing.push('git')
if (!has('curl')) missing.push('curl')
const hasChromium = CHROMIUMS.some((path) => existsSync(path))
let hasShell = existsSync(SHELL)
if (isRoot && !hasShell) {
  // A new machine has no list of packages yet.
  if (!hasChromium) updateOnce()
  hasShell = spawnSync('apt-cache', ['show', 'chromium-headless-shell']).status === 0
  if (hasShell) missing.push('chromium-headless-shell')
}
if (!hasChromium && (isForLong || !hasShell)) missing.push('chromium')

if (missing.length > 0) {
  if (!isRoot) {
    console.error(
      `The tests need ${missing.join(', ')}. Install them (on Debian: apt-get install ${missing.join(' ')}), then run npm test again.`,
    )
    process.exit(1)
  }
  console.log(`Installing what the tests need: ${missing.join(', ')} …`)
  install(missing)
}

for (const { name, isThere, packages, service, ...product } of PRODUCTS) {
  if (isThere() || (product.isForLong && !isForLong)) continue
  try {
    if (!isRoot) throw new Error('only root on Debian may install it')
    console.log(`Installing ${name}, which is tested with …`)
    for (const some of packages) {
      if (service === undefined) install(some)
      else installOff(service, some)
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : ''
    console.log(
      `What needs ${name} is not tested: ${packages.flat().join(', ')} cannot be installed (${why}).`,
    )
  }
}
