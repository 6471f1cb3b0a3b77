import { API_CREDENTIALS, type SourceConfig, type SourceType } from '@citewell/contract/source-configs'
import { LocalPathRefused, type LocalPaths } from '../../platform/files/local-paths.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { SourceFailure } from './connector.ts'
import { checkRef, parseGitAddress } from './repository/git-address.ts'

/** What is wrong with a field of a source. */
export interface SourceFault {
  path: string
  message: string
}

/** Hosts that are an IP address, or this machine: known without a DNS lookup. */
const LITERAL_HOST = /^(\[.*\]|[\d.]+|(.*\.)?localhost\.?)$/

const REFUSED = new Set(['private_address', 'metadata_address'])

/**
 * Checks whether a source names what no source may read: a folder that the operator did not list, or a host in a private network. Host
 * names are resolved and checked only when the source is read, each time, so that saving a source does not reveal which names exist.
 */
export function createSourceCheck({ outbound, localPaths }: { outbound: Outbound; localPaths: LocalPaths }) {
  async function checkHost(host: string, path: string): Promise<SourceFault[]> {
    if (!LITERAL_HOST.test(host)) return []
    try {
      await outbound.checkHost(host, 443, 'customer')
    } catch (error) {
      if (error instanceof OutboundFailure && REFUSED.has(error.reason))
        return [{ path, message: error.message }]
    }
    return []
  }

  const checkPage = async (address: string, path: string) =>
    await checkHost(URL.parse(address)?.hostname ?? '', path)

  async function checkPath(given: string, path: string): Promise<SourceFault[]> {
    try {
      localPaths.refuseOutside(given)
      await localPaths.find(given)
    } catch (error) {
      if (error instanceof LocalPathRefused) return [{ path, message: error.message }]
    }
    return []
  }

  async function checkRepository({ url, ref }: SourceConfig<'repository'>): Promise<SourceFault[]> {
    try {
      if (ref !== null) checkRef(ref)
    } catch (error) {
      return [{ path: 'config.ref', message: error instanceof Error ? error.message : '' }]
    }
    const path = 'config.url'
    try {
      const address = parseGitAddress(url)
      if (address.kind === 'local') return await checkPath(address.path, path)
      return await checkHost(address.kind === 'ssh' ? address.host : address.url.hostname, path)
    } catch (error) {
      if (error instanceof SourceFailure) return [{ path, message: error.message }]
      throw error
    }
  }

  return async (type: SourceType, given: Record<string, unknown>): Promise<SourceFault[]> => {
    if (type === 'repository') return await checkRepository(given as SourceConfig<'repository'>)
    if (type === 'openapi') {
      const { url } = given as SourceConfig<'openapi'>
      return await (/^https?:\/\//i.test(url) ? checkPage : checkPath)(url, 'config.url')
    }
    if (type === 'sitemap')
      return await checkPage((given as SourceConfig<'sitemap'>).sitemap_url, 'config.sitemap_url')
    if (type === 'mail_archive') {
      const { urls } = given as SourceConfig<'mail_archive'>
      return (await Promise.all(urls.map((url, at) => checkPage(url, `config.urls.${at}`)))).flat()
    }
    if (type in API_CREDENTIALS) {
      const url = given['url']
      return typeof url === 'string' ? await checkPage(url, 'config.url') : []
    }
    if (type !== 'website') return []
    const starts = (given as SourceConfig<'website'>).start_urls
    const faults = await Promise.all(starts.map((url, at) => checkPage(url, `config.start_urls.${at}`)))
    return faults.flat()
  }
}
