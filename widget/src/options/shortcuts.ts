const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Whether a key event is the shortcut: `mod+k`, `mod+alt+shift+f`. `mod` is Cmd on Apple's systems, Ctrl elsewhere. */
export function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const pressed = [
    (isApple ? event.metaKey : event.ctrlKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && 'shift',
    event.key.toLowerCase(),
  ]
  return pressed.filter(Boolean).join('+') === shortcut
}
