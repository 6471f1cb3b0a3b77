/** Kind of network of a host: the public internet, or a private network that the operator allowed. */
export type HostKind = 'public' | 'private'

/** Maximum number of remembered hosts; a forgotten one counts as public, which gives no access to private networks. */
const MAX_HOSTS = 2_000

/** The kind of network in which hosts were found when they were connected to. */
export interface KnownHosts {
  note(hostname: string, kind: HostKind): void
  kindOf(hostname: string): HostKind | undefined
}

const nameOf = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '')

/** @param keepsFirst whether the first entries are kept when there are too many: a page may name thousands of hosts */
export function createKnownHosts(keepsFirst: boolean): KnownHosts {
  const kinds = new Map<string, HostKind>()
  return {
    note: (hostname, kind) => {
      const name = nameOf(hostname)
      const isFull = !kinds.has(name) && kinds.size >= MAX_HOSTS
      if (isFull && keepsFirst) return
      const [oldest] = isFull ? kinds.keys() : []
      if (oldest !== undefined) kinds.delete(oldest)
      kinds.set(name, kind)
    },
    kindOf: (hostname) => kinds.get(nameOf(hostname)),
  }
}
