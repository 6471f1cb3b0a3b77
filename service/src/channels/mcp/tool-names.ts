/** What a tool's name may still be long, with what stands around the base's. Clients take 64 characters, prefixes of their own included. */
const LONGEST = 32

/**
 * The name of the search tool of a base, so that a model that has several knows them apart.
 *
 * @example
 * searchToolName('Acme API') // 'search_acme_api_knowledge_sources'
 */
export function searchToolName(baseName: string): string {
  const name = baseName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|(?<!_)_+$/g, '')
    .slice(0, LONGEST)
    .replace(/(?<!_)_+$/, '')
  return name === '' ? 'search_knowledge_sources' : `search_${name}_knowledge_sources`
}
