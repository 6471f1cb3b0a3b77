import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/field.tsx'
import { areSingleKeysOn, setSingleKeys } from '../ui/single-keys.ts'
import classes from './shortcut-sheet.module.css'
import { GO_TO, paletteKeys } from './shortcuts.ts'

const ALWAYS = [
  [paletteKeys(), 'Find a screen, a record or an action'],
  ['Esc', 'Close what is open'],
] as const

const SINGLE = [
  ['?', 'Show this list'],
  ['/', 'Go to the filter of the list'],
  ['J', 'Next row'],
  ['K', 'Previous row'],
  ['Enter', 'Open the row'],
] as const

const Keys = ({ of }: { of: readonly (readonly [keys: string, does: string])[] }) => (
  <dl className={classes['keys']}>
    {of.map(([keys, does]) => (
      <div key={does}>
        <dt>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
)

/** All keys of the app, and the switch for single letters. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard">
      <Keys of={ALWAYS} />
      <Switch
        label="Single keys"
        checked={isOn}
        onChange={(event) => {
          setOn(event.target.checked)
          setSingleKeys(event.target.checked)
        }}
        hint="They work outside of fields. Switch them off if you press them by accident."
      />
      <Keys of={SINGLE} />
      <h2>In a knowledge base</h2>
      <Keys of={Object.entries(GO_TO).map(([key, { name }]) => [`G ${key.toUpperCase()}`, name] as const)} />
    </Dialog>
  )
}
