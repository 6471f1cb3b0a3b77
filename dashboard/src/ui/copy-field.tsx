import { useState } from 'react'
import { Button } from './button.tsx'
import classes from './copy-field.module.css'

/** A text to paste elsewhere: a snippet, a key, a link. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const [said, say] = useState('')
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      say('Select the text and copy it')
    }
  }
  return (
    <figure className={classes['field']}>
      <figcaption>
        <span>{label}</span>
        <Button onClick={() => void copy()} aria-label={`Copy ${label}`}>
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
