import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/time.tsx'
import classes from './start-page.module.css'
import type { Seen } from './use-preview.ts'
import { beginningOf } from '../../ui/beginning-of.ts'

/** How many addresses that are left out are listed. */
const LISTED = 40

const pathOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`
}

/** Reasons that the person can change by including the address. */
const mayInclude = (reason: string) => /^(?:outside of|no include pattern|excluded by)/.test(reason)

/** What the site says of itself. */
export function DetectedLine({ seen: { detected, state, pages } }: { seen: Seen }) {
  const facts = [
    detected?.title,
    detected?.generator,
    detected?.sitemap === undefined || detected.sitemap === null ? undefined : 'with a sitemap',
    detected === undefined
      ? undefined
      : `${count(Math.max(detected.pages_known, pages.length))} addresses found`,
  ].filter((fact) => fact !== undefined && fact !== null && fact !== '')
  return (
    <p className={classes['detected']} role="status">
      {state === 'looking' && <span>Looking… </span>}
      {facts.join(' · ')}
    </p>
  )
}

/** The pages that were looked at, and what is left out with the reason of the crawler; both can be changed by a press. */
export function PreviewLists({
  seen: { detected, pages, leftOut, failed, state, isComplete },
  excluded,
  onExclude,
  onInclude,
}: {
  seen: Seen
  /** Paths that the person left out. */
  excluded: readonly string[]
  onExclude: (path: string, isExcluded: boolean) => void
  onInclude: (url: string) => void
}) {
  const others = [...failed, ...leftOut]
  const rest = isComplete ? 0 : (detected?.pages_known ?? 0) - pages.length - failed.length
  return (
    <div className={classes['lists']}>
      <section aria-label="Will be read">
        <h2>Will be read</h2>
        {pages.length === 0 && state === 'looking' && (
          <p className={classes['quiet']}>The first page is on its way.</p>
        )}
        <ul>
          {pages.map(({ url, title, excerpt }) => {
            const path = pathOf(url)
            const isOut = excluded.includes(path)
            return (
              <li key={url} className={isOut ? classes['out'] : undefined}>
                <div>
                  <strong>{title}</strong>
                  <span className={classes['address']}>{path}</span>
                  {!isOut && <span className={classes['excerpt']}>{beginningOf(excerpt, 120)}</span>}
                </div>
                <Button
                  look="quiet"
                  aria-label={`${isOut ? 'Read it' : 'Leave out'}: ${title}`}
                  onClick={() => onExclude(path, !isOut)}
                >
                  {isOut ? 'Read it' : 'Leave out'}
                </Button>
              </li>
            )
          })}
        </ul>
        {rest > 0 && state === 'seen' && <p className={classes['rest']}>and {count(rest)} more</p>}
      </section>
      <section aria-label="Left out">
        <h2>Left out ({count(others.length)})</h2>
        {others.length === 0 && <p className={classes['quiet']}>Nothing so far.</p>}
        <ul>
          {others.slice(0, LISTED).map(({ url, reason }) => (
            <li key={`${url} ${reason}`}>
              <div>
                <span className={classes['address']}>{pathOf(url)}</span>
                <span>{reason}</span>
              </div>
              {mayInclude(reason) && (
                <Button look="quiet" aria-label={`Include ${pathOf(url)}`} onClick={() => onInclude(url)}>
                  Include
                </Button>
              )}
            </li>
          ))}
        </ul>
        {others.length > LISTED && (
          <p className={classes['quiet']}>and {count(others.length - LISTED)} more</p>
        )}
      </section>
    </div>
  )
}
