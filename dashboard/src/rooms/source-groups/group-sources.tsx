import type { Source, SourceGroup } from '@citewell/sdk/management'
import { useRecordChange } from '../../api/records.ts'
import { Switch } from '../../ui/field.tsx'

/** Which sources are in a group. A change applies at once to everything that is indexed. */
export function GroupSources({
  group,
  groups,
  sources,
}: {
  group: SourceGroup
  groups: readonly SourceGroup[]
  sources: readonly Source[]
}) {
  const move = useRecordChange(
    'sources',
    group.knowledge_base_id,
    (api, { id, isIn }: { id: string; isIn: boolean }) =>
      api.updateSource(id, { source_group_id: isIn ? group.id : null }),
  )
  const isIn = (source: Source) =>
    move.isPending && move.variables.id === source.id
      ? move.variables.isIn
      : source.source_group_id === group.id
  return (
    <>
      <p>A source is in one group at most. Moving it applies at once, without reading it again.</p>
      {sources.length === 0 && <p>There is no source yet.</p>}
      {sources.map((source) => {
        const other = groups.find(({ id }) => id === source.source_group_id && id !== group.id)
        return (
          <Switch
            key={source.id}
            label={source.name}
            hint={other === undefined ? undefined : `Now in “${other.name}”.`}
            checked={isIn(source)}
            onChange={(event) => move.mutate({ id: source.id, isIn: event.target.checked })}
          />
        )
      })}
    </>
  )
}
