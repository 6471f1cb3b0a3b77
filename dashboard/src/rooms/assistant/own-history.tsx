import type { ConversationSummary } from '@citewell/sdk/management'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import classes from './assistant-page.module.css'

/** Conversations of one request. */
const PAGE = 60
const DAY_MS = 86_400_000

/** The heading under which a conversation is listed. */
function dayOf(createdAt: string, now: Date): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const time = Date.parse(createdAt)
  if (time >= midnight) return 'Today'
  if (time >= midnight - DAY_MS) return 'Yesterday'
  return time >= midnight - 6 * DAY_MS ? 'This week' : 'Earlier'
}

/** What the person asked in this workspace, the latest first. */
export function useOwnHistory(baseIds: ReadonlySet<string>) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['my-conversations'],
    queryFn: async ({ pageParam, signal }) =>
      await api.listMyConversations({ limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) =>
      pages.flatMap(({ data }) => data).filter(({ knowledge_base_id: id }) => baseIds.has(id)),
  })
}

/** The person's conversations, by day. */
export function OwnHistory({
  history,
  shown,
}: {
  history: ReturnType<typeof useOwnHistory>
  shown: string | undefined
}) {
  const now = new Date()
  const conversations: readonly ConversationSummary[] = history.data ?? []
  const days = [...Map.groupBy(conversations, ({ created_at: at }) => dayOf(at, now))]
  if (history.isLoadingError) return <Fault error={history.error} onRetry={() => void history.refetch()} />
  if (days.length === 0 && !history.hasNextPage)
    return <p className={classes['note']}>What you ask is listed here.</p>
  return (
    <>
      {days.map(([day, ofDay]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ul>
            {ofDay.map(({ id, first_query: query }) => (
              <li key={id}>
                <Link
                  to="/ask/{-$threadId}"
                  params={{ threadId: id }}
                  className={classes['past']}
                  aria-current={id === shown ? 'page' : undefined}
                  dir="auto"
                >
                  {query}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {history.hasNextPage && (
        <Button
          look="quiet"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show earlier ones
        </Button>
      )}
    </>
  )
}
