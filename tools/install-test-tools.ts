/**
 * Installs the programs that the tests use if they are missing: a Chromium, a Firefox, git and curl, and the products that connectors are
 * tested with. They come from Debian's packages, which needs root; elsewhere a message lists what to install. Runs before `npm test`.
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
  install(missing, environment)
}

/** No package that is there may go for one of ours. */
function install(packages: readonly string[], env: NodeJS.ProcessEnv): void {
  const options = ['-y', '-qq', '--no-remove', '--no-install-recommends']
  execFileSync('apt-get', ['install', ...options, ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
}

/**
 * A MediaWiki with PHP and SQLite. `php-cgi` comes first: with it, PHP does not bring a web server. Without them the test of the connector
 * is skipped.
 */
const WIKI = [['php-cgi'], ['mediawiki', 'php-cli', 'php-sqlite3']]

if (!existsSync('/usr/share/mediawiki/api.php') || !has('php')) {
  try {
    if (process.getuid?.() !== 0 || !has('apt-get')) throw new Error('only root on Debian may install it')
    console.log('Installing a MediaWiki, which its connector is tested with …')
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: environment })
    for (const packages of WIKI) install(packages, environment)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : ''
    console.log(
      `The connector for MediaWiki is not tested: ${WIKI.flat().join(', ')} cannot be installed (${why}).`,
    )
  }
}
