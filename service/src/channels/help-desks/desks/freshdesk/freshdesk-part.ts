/** Email, portal and feedback widget. Calls, chats and social networks have conversations of another kind; outbound mail is of the team. */
const SOURCES: readonly unknown[] = [1, 2, 9]
const RESOLVED = 4
const CLOSED = 5

/** What of the help desk is automated: the groups that the owner chose; undefined: all, also tickets without a group. */
export function groupsOf(config: Record<string, unknown>): ReadonlySet<string> | undefined {
  const given = config['groups']
  const ids = typeof given === 'string' ? (given.slice(0, 1_000).match(/\d{1,18}/g) ?? []) : []
  return ids.length === 0 ? undefined : new Set(ids)
}

interface Part {
  status?: number | null | undefined
  source?: number | null | undefined
  group_id?: string | null | undefined
  spam?: boolean | null | undefined
  deleted?: boolean | null | undefined
}

export const isOpenInFreshdesk = ({ status }: Part): boolean => status !== RESOLVED && status !== CLOSED

/** Whether a ticket belongs to that part. */
export function isOfPart(
  { source, group_id: group, spam, deleted }: Part,
  config: Record<string, unknown>,
): boolean {
  const groups = groupsOf(config)
  const isOfGroup = groups === undefined || groups.has(group ?? '')
  return SOURCES.includes(source) && isOfGroup && spam !== true && deleted !== true
}
