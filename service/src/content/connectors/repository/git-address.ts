import { SourceFailure } from '../connector.ts'

/** Where a repository is. */
export type GitAddress =
  | { kind: 'web'; url: URL; user: string; password: string }
  | { kind: 'git'; url: URL }
  | { kind: 'ssh'; host: string; port: number; address: string }
  | { kind: 'local'; path: string }

const LOCAL_IS_OFF =
  'Repositories on the disk of this service, and those reached with its ssh keys, are only for its operator. Give an https address, or let the operator allow local paths.'

const refuse = (address: string, because: string): never => {
  throw new SourceFailure(`${JSON.stringify(address)} cannot be used as a repository: ${because}`)
}

/** Reads the address of a repository; refuses what would run commands or leave the allowed protocols. */
export function parseGitAddress(given: string, allowLocalPaths: boolean): GitAddress {
  const address = given.trim()
  if (address === '' || address.startsWith('-')) return refuse(given, 'it is no address.')
  // eslint-disable-next-line no-control-regex -- exactly these are refused
  if (/[\u0000-\u001f\u007f]/.test(address)) return refuse(given, 'it has control characters in it.')
  if (/^[\w+.-]+::/.test(address))
    return refuse(given, 'addresses that name a helper program (ext::…) are not allowed.')

  if (!/^[a-z][\w+.-]*:\/\//i.test(address)) return parseShort(address, allowLocalPaths)
  const url = URL.parse(address)
  if (url === null) return refuse(given, 'it is no address.')
  switch (url.protocol) {
    case 'http:':
    case 'https:': {
      const user = decodeURIComponent(url.username)
      const password = decodeURIComponent(url.password)
      url.username = ''
      url.password = ''
      url.hash = ''
      return { kind: 'web', url, user, password }
    }
    case 'git:':
      return { kind: 'git', url }
    case 'ssh:':
      return sshAddress(address, url.hostname, Number(url.port || 22), allowLocalPaths)
    case 'file:':
      return allowLocalPaths
        ? { kind: 'local', path: decodeURIComponent(url.pathname) }
        : refuse(given, LOCAL_IS_OFF)
    default:
      return refuse(given, `${url.protocol}// is not one of https, http, git, ssh and file.`)
  }
}

/** An address without a scheme: `git@host:path`, a path on the disk, or `github.com/owner/name`. */
function parseShort(address: string, allowLocalPaths: boolean): GitAddress {
  const scp = /^([\w.-]+@)?([\w.-]+):(?!\/\/|\\)(.+)$/.exec(address)
  const isPath = /^(\.{0,2}\/|~|[a-z]:[\\/])/i.test(address)
  if (scp !== null && !isPath) return sshAddress(address, scp[2] ?? '', 22, allowLocalPaths)
  if (!isPath && /^[\w-]+(\.[\w-]+)+\/[^/]+\/./.test(address))
    return parseGitAddress(`https://${address}`, allowLocalPaths)
  return allowLocalPaths ? { kind: 'local', path: address } : refuse(address, LOCAL_IS_OFF)
}

function sshAddress(address: string, host: string, port: number, allowLocalPaths: boolean): GitAddress {
  if (!allowLocalPaths) return refuse(address, LOCAL_IS_OFF)
  // ssh would read a host that begins with a dash as an option.
  if (host.startsWith('-') || /@-/.test(address)) return refuse(address, 'its host begins with a dash.')
  return { kind: 'ssh', host, port, address }
}

/** A branch, tag or commit as git takes it; refuses what could be read as an option or a range. */
export function checkRef(ref: string): string {
  const isSound =
    /^[\w@][\w@./+#-]*$/.test(ref) && !ref.includes('..') && !ref.includes('@{') && !ref.endsWith('/')
  if (!isSound)
    throw new SourceFailure(`${JSON.stringify(ref)} is not the name of a branch, a tag or a commit.`)
  return ref
}
