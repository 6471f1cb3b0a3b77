/** Names of this machine, whose sites rarely have a certificate. */
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * The web address that a person means. `https` is added where no scheme is written.
 *
 * @returns undefined for what is not the address of a site
 */
export function readAddress(typed: string): URL | undefined {
  const text = typed.trim()
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const url = URL.parse(hasScheme ? text : `https://${text}`)
  if (url === null || text === '' || /\s/.test(text) || !/^https?:$/.test(url.protocol)) return undefined
  const isLocal = LOCAL.test(url.hostname)
  if (!isLocal && !url.hostname.includes('.')) return undefined
  if (isLocal && !hasScheme) url.protocol = 'http:'
  return url
}

/** Whether a name is the host of a site, as knowledge bases get it from an address. */
export const isHost = (name: string): boolean => readAddress(name)?.host === name

/** The part of a site that an address begins: its path up to the last slash, as a pattern. */
export const patternAround = (url: URL): string =>
  `${url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1)}**`
