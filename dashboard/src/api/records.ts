import type { CallOptions, KnowledgeBase, Management } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useToasts } from '../ui/toast.tsx'
import { useApi } from './session.ts'

/** Records that one page of a list has; further pages are fetched one after another. */
const PAGE = { limit: 100 } as const

/** A list of the management API, whose pages follow one another. */
interface Listed<One> {
  all(): AsyncGenerator<One, void, void>
}

/** Every record of a kind that a knowledge base holds. */
export function useRecords<One>(
  kind: string,
  baseId: string,
  list: (api: Management, page: typeof PAGE, options: CallOptions) => Listed<One>,
  { isAllowed = true }: { isAllowed?: boolean | undefined } = {},
) {
  const api = useApi()
  return useQuery({
    queryKey: [kind, baseId],
    queryFn: async ({ signal }) => await Array.fromAsync(list(api, PAGE, { signal }).all()),
    enabled: isAllowed,
  })
}

/**
 * A change of records, after which their list is read again.
 *
 * @param given.says told when it was done
 * @param given.isInForm the form shows what went wrong; otherwise a message does
 */
export function useRecordChange<Given, Made>(
  kind: string,
  baseId: string,
  change: (api: Management, given: Given) => Promise<Made>,
  { says, isInForm = false }: { says?: string | undefined; isInForm?: boolean | undefined } = {},
) {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  return useMutation({
    mutationFn: (given: Given) => change(api, given),
    onSuccess: async () => {
      // The message says what the list shows: it comes when that is there.
      await client.invalidateQueries({ queryKey: [kind, baseId] })
      if (says !== undefined) tell(says)
    },
    onError: async (error) => {
      if (isInForm) return
      tellFault(error)
      await client.invalidateQueries({ queryKey: [kind, baseId] })
    },
  })
}

/** Why the records of a base cannot be changed by this person now; undefined: they can. */
export function whyBlocked(
  base: KnowledgeBase | undefined,
  { internal }: { internal?: string | undefined } = {},
): string | undefined {
  if (base === undefined) return 'The knowledge base is being loaded.'
  if (!base.your_permissions.includes('config'))
    return `This needs the permission Config on “${base.name}”. An owner or admin of the workspace can give it to you.`
  if (base.status === 'archived') return 'This knowledge base is archived. Restore it under Settings first.'
  return base.type === 'internal' ? internal : undefined
}
