import type { ClientKey, KnowledgeBase } from '@citewell/sdk/management'
import { useRecords } from './records.ts'

/** The public keys of a base that are not revoked; undefined before they are known, and where this person may not see them. */
export function usePublicKeys(base: KnowledgeBase | undefined): ClientKey[] | undefined {
  const keys = useRecords(
    'client-keys',
    base?.id ?? '',
    (api, page, options) => api.listClientKeys(base?.id ?? '', page, options),
    { isAllowed: base?.type === 'external' && base.your_permissions.includes('config') },
  )
  return keys.data?.filter(({ status, kind }) => status === 'live' && kind === 'public')
}
