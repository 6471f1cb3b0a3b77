import type { Source } from '@citewell/sdk/management'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { heldBackBecause } from '../../ui/source-status.ts'

/** Says that a sync held back deletions, and lets them go after a question. */
export function HeldBack({
  source,
  blocked,
  onAccept,
}: {
  source: Source
  blocked: string | undefined
  onAccept: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const because = heldBackBecause(source)
  if (because === undefined) return null
  return (
    <>
      <Button blocked={blocked} onClick={() => setAsking(true)}>
        Deletions held back
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Deletions of “${source.name}” are held back`}
        action="Read again and delete them"
        onConfirm={onAccept}
      >
        <p>{because}</p>
        <p>
          What the source still does not have when it is read again is deleted, and answers stop using it at
          once. This cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}
