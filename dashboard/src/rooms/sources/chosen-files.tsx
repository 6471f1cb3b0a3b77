import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import { isRead, sizeOf } from '../../api/chosen-files.ts'
import classes from './choose-files.module.css'

/** How many files are listed by their names. */
const LISTED = 20

const files = (number: number): string => (number === 1 ? 'One file' : `${count(number)} files`)

/** The files that were chosen. Those that are not read come first: they are left out of what is sent. */
export function ChosenFiles({
  files: chosen,
  onRemove,
}: {
  files: readonly File[]
  onRemove: (file: File) => void
}) {
  const [sent, left] = [chosen.filter(isRead), chosen.filter((file) => !isRead(file))]
  const all = [...left, ...sent]
  return (
    <div className={classes['chosen']}>
      <p role="status">
        {sent.length > 0 && `${files(sent.length)}, ${sizeOf(sent)}`}
        {sent.length > 0 && left.length > 0 && '. '}
        {left.length > 0 &&
          `${files(left.length)} will not be sent: ${left.length === 1 ? 'its type is' : 'their types are'} not read.`}
      </p>
      <ul aria-label="Chosen files">
        {all.slice(0, LISTED).map((file, place) => (
          // Two files of a folder may have one name.
          <li key={`${place} ${file.name}`}>
            <span>
              {file.name} <small>{sizeOf([file])}</small>
              {!isRead(file) && (
                <>
                  {' '}
                  <Status tone="warn">not sent</Status>
                </>
              )}
            </span>
            <Button look="quiet" aria-label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {all.length > LISTED && <p>and {count(all.length - LISTED)} more</p>}
    </div>
  )
}
