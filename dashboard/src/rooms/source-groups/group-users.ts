import type { ClientKey, Source, SourceGroup, Widget } from '@citewell/sdk/management'

/** What is limited to a source group, and what is in it. */
export interface GroupUse {
  sources: readonly Source[]
  /** Live client keys that are limited to it. */
  keys: readonly ClientKey[]
  widgets: readonly Widget[]
}

/** Who uses each group, by its id. */
export function usesOfGroups(
  groups: readonly SourceGroup[],
  { sources, keys, widgets }: GroupUse,
): ReadonlyMap<string, GroupUse> {
  return new Map(
    groups.map(({ id }) => [
      id,
      {
        sources: sources.filter((source) => source.source_group_id === id),
        keys: keys.filter((key) => key.status === 'live' && key.allowed_source_group_ids.includes(id)),
        widgets: widgets.filter((widget) => widget.config.source_group_ids?.includes(id) === true),
      },
    ]),
  )
}
