import { SourceFailure } from '../connector.ts'

/** Where a repository is. */
export type GitAddress =
  | { kind: 'web'; url: URL }
  | { kind: 'git'; url: URL }
  | { kind: 'ssh'; user: string; host: string; port: number; path: string; isUrl: boolean }
  | { kind: 'local'; path: string }

const refuse = (because: string): never => {
  throw new SourceFailure(`This cannot be used as the address of a repository: ${because}`)
}

/**
 * A normalized host: `2130706433` and `127%2E1` are spellings of an IP address. Undefined if it is not a host; this also keeps programs
 * from reading it as an option.
 */
function hostOf(given: string): string | undefined {
  const host = URL.parse(`http://${given}/`)?.hostname
  return host !== undefined && /^[a-z0-9[_]/.test(host) ? host : undefined
}

/**
 * Parses the address of a repository; refuses what would run commands or use other protocols. The messages do not repeat the address, which
 * may contain a password.
 */
export function parseGitAddress(given: string): GitAddress {
  const address = given.trim()
  if (address === '' || address.startsWith('-')) return refuse('it is not an address.')
  // eslint-disable-next-line no-control-regex -- exactly these are refused
  if (/[\u0000-\u001f\u007f]/.test(address)) return refuse('it contains control characters.')
  if (/^[\w+.-]+::/.test(address)) return refuse('helper programs (ext::…) are not allowed.')
  if (/^file:/i.test(address)) return { kind: 'local', path: address }
  if (!/^[a-z][\w+.-]*:\/\//i.test(address)) return parseShort(address)

  const url = URL.parse(address)
  if (url === null) return refuse('it is not an address.')
  url.hash = ''
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      url.username = ''
      url.password = ''
      return { kind: 'web', url }
    case 'git:': {
      const host = hostOf(url.host)
      if (host === undefined) return refuse('it has no host.')
      if (url.username !== '' || url.password !== '')
        return refuse('git:// does not support user names and passwords.')
      const port = url.port === '' ? '' : `:${url.port}`
      return { kind: 'git', url: new URL(`git://${host}${port}${url.pathname}`) }
    }
    case 'ssh:': {
      if (url.password !== '')
        return refuse('passwords are not supported with ssh. Give a key: credentials.ssh_private_key.')
      const user = decodeURIComponent(url.username)
      return sshAddress(user, url.hostname, { port: Number(url.port || 22), path: url.pathname, isUrl: true })
    }
    default:
      return refuse(`${url.protocol}// is not one of https, http, git, ssh and file.`)
  }
}

/** An address without a scheme: `git@host:path`, a path on the disk, or `github.com/owner/name`. */
function parseShort(address: string): GitAddress {
  if (/^(https?|ssh|git):/i.test(address))
    return refuse('two slashes are missing after its scheme: https://…')
  const isPath = /^(\.{0,2}[\\/]|~|[a-z]:[\\/])/i.test(address)
  const scp = isPath ? null : /^(?:([^@:/\\]+)@)?([^@:/\\[\]]+|\[[^\]/\\]+\]):(.+)$/.exec(address)
  if (scp !== null) {
    const path = scp[3] ?? ''
    // `user:token@host/…` would be read as a path on a host named `user`.
    if (path.includes('@')) return refuse('write it as https://user:token@…')
    return sshAddress(scp[1] ?? '', scp[2] ?? '', { port: 22, path, isUrl: false })
  }
  if (!isPath && /^[\w-]+(\.[\w-]+)+\/[^/]+\/./.test(address)) return parseGitAddress(`https://${address}`)
  return { kind: 'local', path: address }
}

function sshAddress(
  user: string,
  host: string,
  rest: { port: number; path: string; isUrl: boolean },
): GitAddress {
  // ssh would read a name that begins with a dash as an option.
  if (!/^[\w.][\w.-]*$|^$/.test(user)) return refuse('ssh does not accept the user name before its @.')
  const known = hostOf(host)
  if (known === undefined) return refuse('ssh does not accept its host.')
  if (rest.path === '' || rest.path === '/' || rest.path.startsWith('-'))
    return refuse('it has no path to a repository.')
  return { kind: 'ssh', user: user === '' ? 'git' : user, host: known, ...rest }
}

/** A branch, tag or commit as git takes it; refuses what could be read as an option or a range. */
export function checkRef(ref: string): string {
  const isSound =
    /^[\w@][\w@./+#-]*$/.test(ref) && !ref.includes('..') && !ref.includes('@{') && !ref.endsWith('/')
  if (!isSound)
    throw new SourceFailure(`${JSON.stringify(ref)} is not the name of a branch, a tag or a commit.`)
  return ref
}
