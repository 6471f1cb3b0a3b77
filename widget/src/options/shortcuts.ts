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

/** The shortcut as a reader of this system knows it: `⌘K`, `Ctrl K`. */
export function showShortcut(shortcut: string): string {
  if (!shortcut.includes('+')) return ''
  const names: Record<string, string> = isApple
    ? { mod: '⌘', alt: '⌥', shift: '⇧' }
    : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift' }
  return shortcut
    .split('+')
    .map((key) => names[key] ?? key.toUpperCase())
    .join(isApple ? '' : ' ')
}
