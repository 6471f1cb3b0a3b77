import { useEffect, useRef } from 'react'
import { areSingleKeysOn } from './single-keys.ts'

/** Whether someone is typing, or a dialog or a menu is open: then letters are letters. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [contenteditable]'))
  )
}

/** Single keys of a screen, such as `j`. Those with Control, Alt or the command key stay the browser's. */
export function useScreenKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const act = current.current[event.key.toLowerCase()]
      if (act === undefined || !areSingleKeysOn() || isTaken(event.target)) return
      event.preventDefault()
      act()
    }
    // While the event goes down, so before the keys of the whole app.
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}
