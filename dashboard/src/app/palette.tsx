import * as Ariakit from '@ariakit/react'
import { useRouter } from '@tanstack/react-router'
import { found, type Entry } from './palette-entries.ts'
import classes from './palette.module.css'
import { usePaletteEntries } from './use-palette-entries.ts'

/** Finds screens, records and actions by what is typed, and goes there. */
export function Palette({
  typed,
  onType,
  onClose,
  onSheet,
}: {
  typed: string
  onType: (typed: string) => void
  onClose: () => void
  onSheet: () => void
}) {
  const router = useRouter()
  const entries = usePaletteEntries(typed, onSheet)
  const kinds = found(entries, typed)
  const number = [...kinds.values()].reduce((sum, ofKind) => sum + ofKind.length, 0)
  function choose({ href, act }: Entry): void {
    onClose()
    if (href !== undefined) void router.navigate({ href })
    else act?.()
  }
  return (
    <Ariakit.Dialog
      open
      onClose={onClose}
      unmountOnHide
      aria-label="Find"
      data-palette=""
      className={classes['palette']}
      backdrop={<div className={classes['backdrop']} />}
    >
      <Ariakit.ComboboxProvider
        open
        setOpen={(isOpen) => {
          if (!isOpen) onClose()
        }}
        value={typed}
        setValue={onType}
        resetValueOnHide={false}
      >
        <Ariakit.Combobox
          autoSelect="always"
          autoFocus
          className={classes['field']}
          placeholder="Find a screen, a knowledge base, a source, a document, an action"
          aria-label="Find"
          maxLength={200}
        />
        <Ariakit.ComboboxList alwaysVisible className={classes['list']} aria-label="Found">
          {[...kinds].map(([kind, ofKind]) => (
            <Ariakit.ComboboxGroup key={kind} className={classes['group']}>
              <Ariakit.ComboboxGroupLabel className={classes['kind']}>{kind}</Ariakit.ComboboxGroupLabel>
              {ofKind.map((entry) => (
                <Ariakit.ComboboxItem
                  key={entry.id}
                  value={entry.id}
                  setValueOnClick={false}
                  hideOnClick={false}
                  focusOnHover
                  className={classes['item']}
                  onClick={() => choose(entry)}
                >
                  <span>{entry.name}</span>
                  {entry.note !== undefined && <small>{entry.note}</small>}
                </Ariakit.ComboboxItem>
              ))}
            </Ariakit.ComboboxGroup>
          ))}
        </Ariakit.ComboboxList>
        <p role="status" className={number === 0 ? classes['none'] : 'visually-hidden'}>
          {number === 0 ? 'No results.' : `${number} found`}
        </p>
      </Ariakit.ComboboxProvider>
    </Ariakit.Dialog>
  )
}
