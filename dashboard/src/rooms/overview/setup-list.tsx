import type { KnowledgeBase, Source } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useApi, useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { remember, remembered } from '../../ui/remembered.ts'
import { Status } from '../../ui/status.tsx'
import classes from './setup-list.module.css'

/** The address that the first owner has until they give their own. */
const UNNAMED_OWNER = 'owner@localhost'

interface SetupStep {
  name: string
  isDone: boolean
  way: ReactNode
}

/** Whether a widget was seen and a colleague is there; undefined while it is read, or where the person may not know. */
function useReached(base: KnowledgeBase, mayInvite: boolean) {
  const api = useApi()
  const widgets = useQuery({
    queryKey: ['widgets', base.id, 'seen'],
    queryFn: async ({ signal }) => (await api.listWidgets(base.id, { limit: 100 }, { signal })).data,
    enabled: base.type === 'external',
  })
  const members = useQuery({
    queryKey: ['members', base.workspace_id, 'some'],
    queryFn: async ({ signal }) => (await api.listMembers(base.workspace_id, { limit: 2 }, { signal })).data,
    enabled: mayInvite,
  })
  return {
    isWidgetSeen: widgets.data?.some(({ last_seen_at: at }) => at !== null),
    hasColleague: members.data === undefined ? undefined : members.data.length > 1,
  }
}

/** What is left to set up. It is not shown once all of it is done, or the person has hidden it. */
export function SetupList({
  base,
  sources,
  questions,
}: {
  base: KnowledgeBase
  sources: readonly Source[]
  /** How many were asked lately. */
  questions: number
}) {
  const { me } = useSession()
  const [isHidden, hide] = useState(() => remembered(`setup-${base.id}`) === 'hidden')
  const role = me.workspaces.find(({ id }) => id === base.workspace_id)?.role
  const { isWidgetSeen, hasColleague } = useReached(base, role !== 'member')
  if (isHidden || base.status === 'archived') return null
  const kb = { kb: base.id }
  const steps: SetupStep[] = [
    {
      name: 'A source is read',
      isDone: sources.some(({ document_count: documents }) => documents > 0),
      way: (
        <Link to="/start" search={kb}>
          Read a site
        </Link>
      ),
    },
    {
      name: 'A first question is answered',
      isDone: questions > 0,
      way: (
        <Link to="/start" search={{ step: 'ask', ...kb }}>
          Ask a question
        </Link>
      ),
    },
  ]
  if (isWidgetSeen !== undefined) {
    steps.push({
      name: 'The widget was seen on a page',
      isDone: isWidgetSeen,
      way: (
        <Link to="/start" search={{ step: 'site', ...kb }}>
          Put it on your site
        </Link>
      ),
    })
  }
  if (hasColleague !== undefined) {
    steps.push({
      name: 'A colleague is invited',
      isDone: hasColleague,
      way: (
        <Link to="/w/$workspaceId/members" params={{ workspaceId: base.workspace_id }}>
          Invite a colleague
        </Link>
      ),
    })
  }
  // Everybody else came by an invitation or a provider, with which they sign in again.
  if (me.user.email === UNNAMED_OWNER)
    steps.push({
      name: 'You have a password',
      isDone: me.user.has_password,
      way: <a href="/account">Set it, to sign in again</a>,
    })
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card
      title="Set-up"
      aside={
        <Button
          look="quiet"
          onClick={() => {
            remember(`setup-${base.id}`, 'hidden')
            hide(true)
          }}
        >
          Hide
        </Button>
      }
    >
      <ul className={classes['list']}>
        {steps.map(({ name, isDone, way }) => (
          <li key={name}>
            <Status tone={isDone ? 'ok' : 'quiet'}>{name}</Status>
            {!isDone && way}
          </li>
        ))}
      </ul>
    </Card>
  )
}
