import { Button } from './button.tsx'
import { useCopied } from './use-copied.ts'

/** A quiet button that copies a text, and says beside it that it did. */
export function CopyButton({
  text,
  name,
  otherwise = 'The browser did not allow it',
}: {
  text: string
  /** What it copies, where “Copy” alone does not say it. */
  name?: string | undefined
  /** Said where the browser does not allow it. */
  otherwise?: string
}) {
  const { said, copy } = useCopied(otherwise)
  return (
    <>
      <Button
        look="quiet"
        aria-label={name === undefined ? undefined : `Copy ${name}`}
        onClick={({ currentTarget }) => void copy(text, currentTarget.parentElement ?? currentTarget)}
      >
        Copy
      </Button>
      <span role="status">{said}</span>
    </>
  )
}
