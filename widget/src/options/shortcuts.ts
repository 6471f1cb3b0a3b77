/** Whether a key event is the shortcut: `mod+k`, `mod+alt+shift+f`. `mod` is Cmd on Apple's systems, Ctrl elsewhere. */
export function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const pressed = [
    // Asked for here: a server that renders pages may load this, and has no navigator.
    (/Mac|iPhone|iPad/.test(navigator.platform) ? event.metaKey : event.ctrlKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && 'shift',
    event.key.toLowerCase(),
  ]
  return pressed.filter(Boolean).join('+') === shortcut
}
