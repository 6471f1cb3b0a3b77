import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Banner } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import { DetectedLine, PreviewLists } from './preview-lists.tsx'
import { patternAround } from './read-address.ts'
import classes from './start-page.module.css'
import type { Seen, SiteToRead } from './use-preview.ts'

/** What is added when the person says so. */
export interface SiteChoice extends SiteToRead {
  visibility: 'public' | 'restricted'
  refresh: 'none' | 'daily' | 'weekly'
}

const REFRESHES = [
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['none', 'Only when asked to'],
] as const

const VISIBILITIES = [
  ['public', 'Everyone'],
  ['restricted', 'Members only'],
] as const

/** `Read 12 pages`, if all of them are known. */
function buttonOf(seen: Seen, excluded: number): string {
  if (seen.isComplete) {
    const pages = Math.max(0, seen.pages.length - excluded)
    return pages === 1 ? 'Read 1 page' : `Read ${count(pages)} pages`
  }
  const known = seen.detected?.pages_known ?? 0
  return known > seen.pages.length ? `Read about ${count(known)} pages` : 'Read the site'
}

/** The second step: what will be read, what is left out and why, before anything is stored. */
export function PagesStep({
  site,
  seen,
  isSaving,
  error,
  onSite,
  onBack,
  onSave,
}: {
  site: SiteToRead
  seen: Seen
  isSaving: boolean
  error: unknown
  /** Looks again, at a changed site. */
  onSite: (site: SiteToRead) => void
  onBack: () => void
  onSave: (choice: SiteChoice) => void
}) {
  const [excluded, exclude] = useState<readonly string[]>([])
  const isUnreadable = seen.state === 'failed'
  function include(url: string): void {
    const [start, wanted] = [URL.parse(site.url), URL.parse(url)]
    if (start === null || wanted === null) return
    const kept = site.include.length === 0 ? [patternAround(start)] : site.include
    const named = wanted.pathname
    onSite({
      ...site,
      include: [...new Set([...kept, patternAround(wanted)])],
      exclude: site.exclude.filter((pattern) => pattern !== named),
    })
  }
  function addPattern(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const pattern = textOf(new FormData(event.currentTarget), 'pattern')
    if (pattern === '') return
    event.currentTarget.reset()
    onSite({ ...site, exclude: [...new Set([...site.exclude, pattern])] })
  }
  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onSave({
      ...site,
      exclude: [...site.exclude, ...excluded],
      visibility: form.get('visibility') === 'restricted' ? 'restricted' : 'public',
      refresh: REFRESHES.find(([value]) => value === form.get('refresh'))?.[0] ?? 'daily',
    })
  }
  return (
    <>
      <p className={classes['site']}>{site.url}</p>
      <DetectedLine seen={seen} />
      {seen.because !== undefined && <Banner tone="danger">{seen.because}</Banner>}
      {seen.error !== undefined && <Fault error={seen.error} onRetry={() => onSite(site)} />}
      {!isUnreadable && (
        <PreviewLists
          seen={seen}
          excluded={excluded}
          onExclude={(path, isOut) =>
            exclude((all) => (isOut ? [...all, path] : all.filter((one) => one !== path)))
          }
          onInclude={include}
        />
      )}
      {seen.state === 'seen' && (
        <form onSubmit={addPattern} className={classes['pattern']}>
          <TextInput label="Leave out by a pattern" name="pattern" placeholder="/v1/**" maxLength={500} />
          <Button type="submit">Leave out</Button>
        </form>
      )}
      {site.exclude.length > 0 && <p className={classes['quiet']}>Left out: {site.exclude.join(', ')}</p>}
      <form onSubmit={save}>
        {!isUnreadable && (
          <div className={classes['choices']}>
            <Select label="Visible to" name="visibility" options={VISIBILITIES} />
            <Select label="Read again" name="refresh" options={REFRESHES} />
          </div>
        )}
        {error !== undefined && error !== null && <Fault error={error} />}
        <div className={classes['buttons']}>
          <Button onClick={onBack}>{isUnreadable ? 'Change the address' : 'Back'}</Button>
          {!isUnreadable && (
            <Button look="primary" type="submit" disabled={isSaving || seen.pages.length === excluded.length}>
              {buttonOf(seen, excluded.length)}
            </Button>
          )}
        </div>
      </form>
    </>
  )
}
