import type { KnowledgeBase } from '@citewell/sdk/management'
import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { count, counted } from '../../ui/time.tsx'
import { readAddress } from './read-address.ts'
import classes from './start-page.module.css'

const NO_ADDRESS = 'This is not the address of a site. Type one such as docs.example.com.'

/** The first step: an address, or the sample. */
export function AddressStep({
  typed,
  onTyped,
  error,
  isBusy,
  ready,
  onRead,
  onSample,
  onGoOn,
}: {
  typed: string
  onTyped: (typed: string) => void
  /** Why the address or the sample could not be used. */
  error: unknown
  isBusy: boolean
  /** Knowledge bases that can be asked already; undefined before they are known. An address can be typed and sent before. */
  ready: readonly KnowledgeBase[] | undefined
  onRead: (url: URL) => void
  onSample: () => void
  onGoOn: (baseId: string) => void
}) {
  const [fault, setFault] = useState<string>()
  function submit(event: FormEvent): void {
    event.preventDefault()
    const url = readAddress(typed)
    setFault(url === undefined ? NO_ADDRESS : undefined)
    if (url !== undefined) onRead(url)
  }
  const [first] = ready ?? []
  return (
    <>
      <form onSubmit={submit} className={classes['addressForm']} noValidate>
        <TextInput
          label="Where is your documentation?"
          value={typed}
          onChange={(event) => {
            onTyped(event.target.value)
            setFault(undefined)
          }}
          error={fault}
          placeholder="docs.example.com"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={2000}
          hint="You see what will be read before anything is stored."
        />
        <Button look="primary" type="submit" disabled={isBusy}>
          {isBusy ? 'One moment…' : 'Look at it'}
        </Button>
      </form>
      {error !== undefined && error !== null && <Fault error={error} />}
      <div className={classes['or']}>or</div>
      {first === undefined ? (
        <div className={classes['sample']}>
          <p>
            No site at hand? The sample is Citewell’s own guide. It is read in a few seconds, and needs no
            account and no key.
          </p>
          <Button disabled={isBusy || ready === undefined} onClick={onSample}>
            Try with the sample
          </Button>
        </div>
      ) : (
        <div className={classes['sample']}>
          <p>
            {ready?.length === 1
              ? 'One knowledge base is'
              : `${count(ready?.length ?? 0)} knowledge bases are`}{' '}
            ready to be asked: “{first.name}” with {counted(first.document_count, 'document')}.
          </p>
          <Button disabled={isBusy} onClick={() => onGoOn(first.id)}>
            Ask “{first.name}” now
          </Button>
        </div>
      )}
    </>
  )
}
