import { Link, type LinkProps } from '@tanstack/react-router'
import { useCurrentInSight } from './use-current-in-sight.ts'
import classes from './workspace-tabs.module.css'

export interface Tab {
  to: LinkProps['to']
  params: Record<string, string>
  label: string
  /** Whether other screens lie below its address. */
  isExact?: boolean
}

/** Screens beside each other, each with an address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const list = useCurrentInSight()
  return (
    <nav ref={list} aria-label={label} className={classes['tabs']}>
      {tabs.map(({ to, params, label: word, isExact = true }) => (
        <Link key={to} to={to ?? '/'} params={params} activeOptions={{ exact: isExact }}>
          {word}
        </Link>
      ))}
    </nav>
  )
}
