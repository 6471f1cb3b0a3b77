import { Button } from './button.tsx'
import classes from './copy-field.module.css'
import { useCopied } from './use-copied.ts'

/** A text to paste elsewhere: a snippet, a key, a link. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const { said, copy } = useCopied('Select the text and copy it')
  return (
    <figure className={classes['field']}>
      <figcaption>
        <span>{label}</span>
        <Button
          onClick={({ currentTarget }) => void copy(text, currentTarget.parentElement ?? currentTarget)}
          aria-label={`Copy ${label}`}
        >
          Copy
        </Button>
        <span role="status">{said}</span>
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
