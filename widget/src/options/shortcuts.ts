/** What a key event is as a shortcut: `mod+k`, `mod+alt+shift+f`, `/`. `mod` is Cmd on Apple's systems, Ctrl elsewhere. */
export function shortcutOf(event: KeyboardEvent): string {
  // Browsers that fill in forms send such events without a key.
  const { key = 'unknown' } = event as Partial<KeyboardEvent>
  // Asked for here: a server that renders pages may load this, and has no navigator.
  const mod = /Mac|iP/.test(navigator.platform) ? event.metaKey : event.ctrlKey
  return (
    (mod ? 'mod+' : '') +
    (event.altKey ? 'alt+' : '') +
    (event.shiftKey ? 'shift+' : '') +
    // On a keyboard of another script the key has another sign, and its place is that of the letter.
    (key > '~' ? event.code.slice(3) : key).toLowerCase()
  )
}
