import { apiAddress } from '../../../integrations/integrations.ts'
import { createDeskApi } from '../desk-api.ts'

const DEFAULT_API = 'https://api2.frontapp.com'

export const frontApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export const isFrontId = (id: string, kind: 'cnv' | 'tea' | 'inb' | 'cha' | 'tag') =>
  id.startsWith(kind) && /^[a-z]{3}_[a-z0-9]{1,30}$/.test(id)

/** A setting that is an id of this kind; undefined if it is not set, or something else. */
export function frontId(
  config: Record<string, unknown>,
  name: string,
  kind: Parameters<typeof isFrontId>[1],
): string | undefined {
  const value = config[name]
  const id = typeof value === 'string' ? value.trim() : ''
  return isFrontId(id, kind) ? id : undefined
}

export const { read: readFromFront, send: sendToFront } = createDeskApi({
  desk: 'Front',
  refused:
    'Front refused the API token: it was deleted, or it may not do this. Make one under Settings, Developers, API tokens, for shared resources, with Read, Write and Send.',
  address: frontApi,
  headers: ({ credentials }) => ({ authorization: `Bearer ${credentials['api_token'] ?? ''}` }),
})
