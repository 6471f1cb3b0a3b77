import { useState } from 'react'
import { Button } from './button.tsx'
import classes from './preview-frame.module.css'

/** A page of the service with the widget or a form, in a frame. A change of its settings loads it again. */
export function PreviewFrame({
  title,
  query,
  says,
}: {
  title: string
  query: Readonly<Record<string, string>>
  says?: string
}) {
  const [round, setRound] = useState(0)
  const address = `/widget/preview?${new URLSearchParams(query).toString()}`
  return (
    <div>
      <iframe key={`${round} ${address}`} className={classes['frame']} title={title} src={address} />
      <div className={classes['foot']}>
        {says !== undefined && <p>{says}</p>}
        <Button look="quiet" onClick={() => setRound(round + 1)}>
          Load it again
        </Button>
      </div>
    </div>
  )
}
