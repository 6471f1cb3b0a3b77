import { chosenIds, isChosen, type Chosen } from '../chosen-parts.ts'
import { isFreshdeskId } from './freshdesk-api.ts'

/** Email, portal and feedback widget. Calls, chats and social networks have conversations of another kind; outbound mail is of the team. */
const SOURCES: readonly unknown[] = [1, 2, 9]
const RESOLVED = 4
const CLOSED = 5

/** What of the help desk is automated: the groups that the owner chose, or all tickets, also those without a group. */
export const freshdeskGroups = ({ groups }: Record<string, unknown>): Chosen =>
  chosenIds(groups, isFreshdeskId)

interface Part {
  status?: number | null | undefined
  source?: number | null | undefined
  group_id?: string | null | undefined
  spam?: boolean | null | undefined
  deleted?: boolean | null | undefined
}

export const isOpenInFreshdesk = ({ status }: Part): boolean => status !== RESOLVED && status !== CLOSED

/** Whether a ticket belongs to that part. */
export const isOfPart = (
  { source, group_id: group, spam, deleted }: Part,
  config: Record<string, unknown>,
): boolean =>
  SOURCES.includes(source) && isChosen(freshdeskGroups(config), group) && spam !== true && deleted !== true
