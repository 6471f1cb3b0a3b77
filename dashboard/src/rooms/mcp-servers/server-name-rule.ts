import { RESERVED_SERVER_NAMES } from '@citewell/contract/closed-lists'

/** What is wrong with the name of an MCP server, in the order of typing; undefined: nothing that is known here. The service also knows which are taken. */
export function faultOfServerName(name: string): string | undefined {
  if (!/^[a-z0-9-]*$/.test(name)) return 'Only lowercase letters, digits and hyphens.'
  if (name.startsWith('-') || (name.length >= 3 && name.endsWith('-')))
    return 'It must not start or end with a hyphen.'
  if (name.length < 3) return 'At least 3 characters.'
  if (name.length > 63) return 'At most 63 characters.'
  return RESERVED_SERVER_NAMES.includes(name) ? 'This name is reserved. Choose another.' : undefined
}

/** A name for the server of a base, from the name of the base. */
export function suggestedServerName(baseName: string): string {
  const name = baseName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 60)
  return faultOfServerName(name) === undefined ? name : ''
}
