import type { Widget } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { Status } from './status.tsx'
import { Time } from './time.tsx'

const hostOf = (origin: string): string => URL.parse(origin)?.host ?? origin

/** Where and when a page last showed a widget. */
export function WidgetSeen({
  widget: { last_seen_at: at, last_seen_origin: origin },
  absent = <Status tone="quiet">Not seen on a page yet</Status>,
}: {
  widget: Pick<Widget, 'last_seen_at' | 'last_seen_origin'>
  /** What is said of a widget that no page has shown. */
  absent?: ReactNode
}) {
  if (at === null) return absent
  return (
    <Status tone="ok">
      Seen {origin !== null && `on ${hostOf(origin)}, `}
      <Time at={at} />
    </Status>
  )
}
