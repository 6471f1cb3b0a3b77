import { Link } from '@tanstack/react-router'
import classes from './workspace-tabs.module.css'

/** Parts of one screen, each with an address of its own. */
export function ScreenTabs({
  label,
  tabs,
  open,
}: {
  label: string
  tabs: readonly (readonly [tab: string, shown: string])[]
  open: string
}) {
  return (
    <nav aria-label={label} className={classes['tabs']}>
      {tabs.map(([tab, shown], index) => (
        <Link
          key={tab}
          to="."
          search={index === 0 ? {} : { tab }}
          // Another part of the address, such as a filter, leaves the tab open.
          activeOptions={{ exact: true }}
          aria-current={tab === open ? 'page' : undefined}
        >
          {shown}
        </Link>
      ))}
    </nav>
  )
}
