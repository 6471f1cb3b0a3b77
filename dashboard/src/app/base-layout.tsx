import { CitewellError } from '@citewell/sdk/management'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useBaseEvents } from '../api/base-events.ts'
import { useKnowledgeBase } from '../api/knowledge-bases.ts'
import { Fault } from '../ui/fault.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Banner } from '../ui/status.tsx'
import { useCurrentInSight } from '../ui/use-current-in-sight.ts'
import classes from './base-layout.module.css'
import { PARTS } from './base-parts.ts'

/** The screens of one knowledge base, beside their list. */
export function BaseLayout() {
  const { baseId } = useParams({ from: '/kb/$baseId' })
  const base = useKnowledgeBase(baseId)
  useBaseEvents(baseId)
  const list = useCurrentInSight()
  // A screen that is open stays, with what was typed on it, when reading the base again fails; unless the base is gone.
  const isGone =
    base.error instanceof CitewellError && (base.error.status === 403 || base.error.status === 404)
  if (base.isLoadingError || isGone) {
    return (
      <Page title="This knowledge base cannot be opened">
        <Fault error={base.error} onRetry={() => void base.refetch()} />
        <Link to="/">To your knowledge bases</Link>
      </Page>
    )
  }
  return (
    <div className={classes['layout']}>
      <nav ref={list} className={classes['side']} aria-label="Knowledge base">
        {PARTS.map(({ name, links }) => (
          <div key={name ?? ''}>
            {name !== undefined && <h2>{name}</h2>}
            <ul>
              {links.map(([to, label]) => (
                <li key={to}>
                  <Link to={to} params={{ baseId }} activeOptions={{ exact: to === '/kb/$baseId' }}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={classes['content']}>
        <Loaded query={base}>
          {({ status }) => (
            <>
              {status === 'archived' && (
                <Banner tone="warn">
                  This knowledge base is archived: it answers nothing, and its settings cannot be changed.
                  Restore it under Settings.
                </Banner>
              )}
              <Outlet />
            </>
          )}
        </Loaded>
      </div>
    </div>
  )
}
