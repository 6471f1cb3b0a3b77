import type { Source } from '@citewell/sdk/management'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../ui/time.tsx'
import classes from './sources-page.module.css'

/** What goes with a source that is deleted. */
const lossOf = (source: Source | undefined): string =>
  source === undefined || source.document_count === 0
    ? 'It has no documents.'
    : `With it, ${counted(source.document_count, 'document')} will be deleted, and answers stop using them at once.`

/** Asks before a source is deleted. */
export function DeleteSource({
  source,
  onClose,
  onDelete,
}: {
  /** The one that is asked about; undefined: none is. */
  source: Source | undefined
  onClose: () => void
  onDelete: (source: Source) => void
}) {
  return (
    <Dialog
      isOpen={source !== undefined}
      onClose={onClose}
      title={`Delete the source “${source?.name ?? ''}”`}
    >
      <p>{lossOf(source)} This cannot be undone.</p>
      <p className={classes['choice']}>
        <Button
          look="danger"
          onClick={() => {
            if (source !== undefined) onDelete(source)
            onClose()
          }}
        >
          Delete the source
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </p>
    </Dialog>
  )
}
