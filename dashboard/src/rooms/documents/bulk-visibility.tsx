import type { KnowledgeBase } from '@citewell/sdk/management'
import { useState } from 'react'
import { useVisibilityChange, type DocumentFilter } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { count } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useWhoCan } from '../../ui/who-can.ts'
import classes from './bulk-visibility.module.css'

type Visibility = 'public' | 'restricted'

const WORDS = { public: 'Show to everyone', restricted: 'Restrict to members' } as const

/** Makes the chosen documents, or all that were found, public or restricted. */
export function BulkVisibility({
  base,
  filter,
  total,
  isFinding,
  chosen,
  says,
  onDone,
}: {
  base: KnowledgeBase | undefined
  filter: DocumentFilter
  /** How many the filter finds. */
  total: number
  /** What is shown is still of another filter. */
  isFinding: boolean
  chosen: readonly string[]
  /** What was found, as a sentence. */
  says: string
  onDone: () => void
}) {
  const { tell } = useToasts()
  const whoCan = useWhoCan()
  const [asked, ask] = useState<Visibility>()
  const [done, setDone] = useState(0)
  const change = useVisibilityChange(base?.id ?? '', setDone)
  const isAll = chosen.length === 0
  const number = isAll ? total : chosen.length
  const what = `${isAll ? (number === 1 ? 'the' : `all ${count(number)}`) : count(number)} ${number === 1 ? 'document' : 'documents'}${isAll ? ' found' : ''}`
  const blockedFor = (visibility: Visibility): string | undefined => {
    if (base?.status === 'archived') return 'The knowledge base is archived.'
    if (base?.your_permissions.includes('config') !== true)
      return `This needs the permission Config on the knowledge base. ${whoCan}`
    if (base.type === 'internal' && visibility === 'public')
      return 'All documents of an internal knowledge base are restricted.'
    return isFinding ? 'The documents are being found.' : undefined
  }
  function begin(visibility: Visibility): void {
    change.reset()
    ask(visibility)
  }
  function act(visibility: Visibility): void {
    setDone(0)
    change.mutate(
      { visibility, ids: isAll ? filter : chosen },
      {
        onSuccess: (changed) => {
          ask(undefined)
          onDone()
          tell(`${count(changed)} ${changed === 1 ? 'document was' : 'documents were'} changed.`)
        },
      },
    )
  }
  return (
    <div className={classes['bar']}>
      <p role="status">{chosen.length > 0 ? `${count(chosen.length)} chosen of ${says}` : says}</p>
      {(['public', 'restricted'] as const).map((visibility) => (
        <Button key={visibility} blocked={blockedFor(visibility)} onClick={() => begin(visibility)}>
          {WORDS[visibility]}
          {isAll ? ' (all found)' : ''}
        </Button>
      ))}
      <Dialog
        isOpen={asked !== undefined}
        onClose={() => ask(undefined)}
        title={asked === undefined ? '' : WORDS[asked]}
      >
        <p>
          {asked === 'public'
            ? `Answers for everyone may use ${what}, from the next question on.`
            : `Only answers for members use ${what}, from the next question on. Public surfaces do not use them any more.`}{' '}
          They no longer follow the visibility of their source.
        </p>
        {change.isError && <Fault error={change.error} />}
        <Button look="danger" disabled={change.isPending} onClick={() => asked !== undefined && act(asked)}>
          {change.isPending
            ? `${count(done)} of ${count(number)}…`
            : `${asked === undefined ? '' : WORDS[asked]}: ${count(number)}`}
        </Button>
      </Dialog>
    </div>
  )
}
