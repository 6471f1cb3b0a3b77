/** Maximum characters of the base's part of the name. Clients allow 64 characters, including prefixes that they add. */
const MAX_CHARACTERS = 32

/**
 * The name of the search tool of a base, so that a model with several bases can tell them apart.
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
    .slice(0, MAX_CHARACTERS)
    .replace(/(?<!_)_+$/, '')
  return name === '' ? 'search_knowledge_sources' : `search_${name}_knowledge_sources`
}
