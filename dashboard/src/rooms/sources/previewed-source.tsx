import type { SourcePreview } from '@citewell/sdk/management'
import { Card } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted } from '../../ui/time.tsx'
import classes from './new-source-page.module.css'
import { beginningOf } from '../../ui/beginning-of.ts'

/** Who the service is at the source, what it sees there, and what it lacks. */
function Access({ access }: { access: NonNullable<SourcePreview['access']> }) {
  const { account, sees, missing } = access
  return (
    <>
      <p>
        Signed in there as <strong>{account}</strong>.{sees.length > 0 && ` It can read: ${sees.join('; ')}.`}
      </p>
      {missing.length > 0 && (
        <Banner tone="warn">
          Something is missing:
          <ul>
            {missing.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  )
}

/** The first pages of a source, and what would be left out; of one that cannot be read, why. */
export function PreviewedSource({ preview }: { preview: SourcePreview }) {
  // Counts and lists of what was not looked at would say that there is nothing.
  if (preview.error !== null)
    return (
      <Card title="What would be read">
        <Banner tone="danger">{preview.error}</Banner>
        {preview.access !== null && <Access access={preview.access} />}
      </Card>
    )
  return (
    <Card title="What would be read">
      {preview.access !== null && <Access access={preview.access} />}
      <p role="status">
        {counted(preview.pages.length, 'page')} as a sample, {count(preview.left_out.length)} left out,{' '}
        {count(preview.failed.length)} could not be read.
        {preview.is_complete ? ' That is all of it.' : ' There is more.'}
      </p>
      <div className={classes['columns']}>
        <Table
          label="Pages that would be read"
          rows={preview.pages}
          keyOf={({ url }) => url}
          columns={[
            {
              name: 'Will be read',
              of: ({ url, title, excerpt }) => (
                <>
                  <strong>{title}</strong>
                  <div className={classes['address']}>{url}</div>
                  <div className={classes['excerpt']}>{beginningOf(excerpt, 160)}</div>
                </>
              ),
            },
          ]}
        />
        <Table
          label="Addresses that would be left out"
          rows={[...preview.failed, ...preview.left_out]}
          keyOf={({ url, reason }) => `${url} ${reason}`}
          columns={[
            {
              name: 'Left out',
              of: ({ url, reason }) => (
                <>
                  <div className={classes['address']}>{url}</div>
                  {reason}
                </>
              ),
            },
          ]}
        />
      </div>
    </Card>
  )
}
