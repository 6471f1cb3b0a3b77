import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { WidgetSeen } from '../../ui/widget-seen.tsx'
import { widgetTag } from '../../ui/widget-tag.ts'
import classes from './start-page.module.css'

/** Milliseconds between two looks for a page that shows the widget. */
const LOOK_AGAIN_MS = 3_000

/** The last step: the line for the person's own pages, and whether one of them shows the widget. */
export function SiteStep({ baseId, onBack }: { baseId: string; onBack: () => void }) {
  const api = useApi()
  const widgets = useQuery({
    queryKey: ['widgets', baseId, 'seen'],
    queryFn: async ({ signal }) => (await api.listWidgets(baseId, { limit: 100 }, { signal })).data,
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <>
      <Loaded query={widgets}>
        {(list) => {
          const seen = list.find(({ last_seen_at: at }) => at !== null)
          const widget = seen ?? list[0]
          if (widget === undefined)
            return <Empty says="This knowledge base has no website widget: it answers members only." />
          return (
            <>
              <CopyField label="Paste this into your pages" text={widgetTag(baseId, widget.id)} />
              <p className={classes['seen']} role="status">
                <WidgetSeen
                  widget={widget}
                  absent={<Status tone="info">Waiting for the first page that shows it</Status>}
                />
              </p>
              <p>
                <a href={`/widget/demo?knowledge_base_id=${baseId}`} target="_blank" rel="noreferrer">
                  Preview it on a demo page
                </a>
              </p>
            </>
          )
        }}
      </Loaded>
      <div className={classes['buttons']}>
        <Button onClick={onBack}>Back</Button>
        <Link className={classes['finish']} to="/kb/$baseId" params={{ baseId }}>
          Open the overview
        </Link>
      </div>
    </>
  )
}
