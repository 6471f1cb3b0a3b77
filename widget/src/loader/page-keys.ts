import { isOn, type SaidOptions } from '../options/given-options.ts'
import { isShortcut } from '../options/shortcuts.ts'

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
  document.addEventListener(
    'keydown',
    (event) => {
      const said = options()
      if (!said || event.defaultPrevented || event.isComposing || event.repeat) return
      const { shortcut, slash, search } = said
      const isSlash = event.key === '/' && isOn(slash, true) && isOn(search, true)
      if (
        isShortcut(event, shortcut ?? 'mod+k')
          ? onShortcut()
          : isSlash &&
            !(event.ctrlKey || event.metaKey || event.altKey) &&
            !event.composedPath().some(isEditable) &&
            onSlash()
      )
        event.preventDefault()
    },
    { signal },
  )
}
