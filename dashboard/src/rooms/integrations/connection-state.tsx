import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { Status } from '../../ui/status.tsx'
import { drivenOf, type ConnectionKind } from './connection-kinds.ts'
import type { Integration } from './integration-kinds.ts'
import { integrationState, missingOf } from './integration-state.ts'
import type { PlatformField } from './platform-field.ts'

/** What an integration that the service drives itself needs, and has. */
export function useSetup(of: Integration, kind: ConnectionKind, isAllowed: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: [kind.key, of.knowledge_base_id, 'setup', of.id],
    queryFn: ({ signal }) => kind.setup(api, of.id, { signal }),
    enabled: isAllowed,
  })
}

function State({ of, ...known }: { of: Integration } & Parameters<typeof integrationState>[1]) {
  const { tone, words } = integrationState(of, known)
  return (
    <Status tone={tone} isLong>
      {words}
    </Status>
  )
}

function DrivenState({
  of,
  kind,
  fields,
  mayRead,
}: {
  of: Integration
  kind: ConnectionKind
  fields: readonly PlatformField[]
  mayRead: boolean
}) {
  const setup = useSetup(of, kind, mayRead && of.has_credentials)
  if (setup.isLoading) return null
  const unset = setup.data?.credentials.filter(({ is_set: isSet }) => !isSet).map(({ name }) => name)
  return <State of={of} missing={missingOf(of, fields, new Set(unset))} isCertain={unset !== undefined} />
}

/** Whether an integration can answer, and what it lacks. */
export function ConnectionState({
  of,
  kind,
  ...rest
}: {
  of: Integration
  /** Undefined: this kind is connected to nothing. */
  kind: ConnectionKind | undefined
  fields: readonly PlatformField[]
  /** Whether the person may see which credentials are stored. */
  mayRead: boolean
}) {
  return kind === undefined || drivenOf(of, kind) === undefined ? (
    <State of={of} />
  ) : (
    <DrivenState of={of} kind={kind} {...rest} />
  )
}
