import type { ReactNode } from 'react'
import classes from './page.module.css'

/** The frame of a screen: its title, what can be done on it, and its content. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <main className={classes['page']} id="content" tabIndex={-1}>
      <title>{`${title} · Citewell`}</title>
      <header className={classes['head']}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={classes['lead']}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </header>
      {children}
    </main>
  )
}

/** A part of a screen, with a heading of its own. */
export function Card({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes['card']}>
      {title !== undefined && (
        <div className={classes['cardHead']}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** What a list shows while it is empty: what it is for, and the first thing to do. */
export function Empty({ says, children }: { says: string; children?: ReactNode }) {
  return (
    <div className={classes['empty']}>
      <p>{says}</p>
      {children}
    </div>
  )
}
