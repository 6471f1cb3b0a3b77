import { isOn, type SaidOptions } from '../options/given-options.ts'
import { shortcutOf } from '../options/shortcuts.ts'

/** The document and the window are on the path of an event, too. */
const isEditable = (target: Partial<HTMLElement>) =>
  target.isContentEditable || target.matches?.('input,textarea,select')

/** The shortcut and `/` of the page, unless the page has used the key itself. Each returns whether it uses the key. */
export function listenToKeys(
  /** False where there is no widget to open. */
  options: () => SaidOptions | false,
  onShortcut: () => boolean,
  onSlash: () => boolean,
  signal: AbortSignal,
): void {
  const hear = (event: KeyboardEvent) => {
    const said = options()
    if (!said || event.defaultPrevented || event.isComposing || event.repeat) return
    const { shortcut = 'mod+k', slash, search } = said
    const pressed = shortcutOf(event)
    if (
      pressed === shortcut
        ? onShortcut()
        : // On some keyboards the slash is above a digit.
          /^(shift.)?\/$/.test(pressed) &&
          isOn(slash, true) &&
          isOn(search, true) &&
          !event.composedPath().some(isEditable) &&
          onSlash()
    )
      event.preventDefault()
  }
  // Heard last, whenever the page began to listen: a key that it uses itself is its own.
  addEventListener('keydown', () => addEventListener('keydown', hear, { once: true, signal }), {
    capture: true,
    signal,
  })
}
