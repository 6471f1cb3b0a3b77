/** Where a host stands: on the public internet, or in a network that the operator opened. */
export type HostKind = 'public' | 'private'

/** Hosts whose place is remembered; one that is not counts as public, from where nothing leads inside. */
const MOST_HOSTS = 2_000

/** Where hosts were found when they were connected to. */
export interface KnownHosts {
  note(hostname: string, kind: HostKind): void
  kindOf(hostname: string): HostKind | undefined
}

const nameOf = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '')

/** @param keepsFirst whether those that came first are kept when there are too many: a page may name thousands */
export function createKnownHosts(keepsFirst: boolean): KnownHosts {
  const kinds = new Map<string, HostKind>()
  return {
    note: (hostname, kind) => {
      const name = nameOf(hostname)
      const isFull = !kinds.has(name) && kinds.size >= MOST_HOSTS
      if (isFull && keepsFirst) return
      const [oldest] = isFull ? kinds.keys() : []
      if (oldest !== undefined) kinds.delete(oldest)
      kinds.set(name, kind)
    },
    kindOf: (hostname) => kinds.get(nameOf(hostname)),
  }
}
