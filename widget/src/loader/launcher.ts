import type { SaidOptions } from '../options/given-options.ts'
import css from './launcher.css?inline'
import { labelsOf } from './launcher-labels.ts'

/** What a reader who has pressed is to know: the panel comes, or it could not be fetched. */
export type Wait = '' | 'busy' | 'failed'

export interface Launcher {
  /** While a reader waits the button is shown in any case, also where a page wants none: nothing else would tell them. */
  draw(said: SaidOptions, wait: Wait): void
  button: HTMLElement
}

/** The button that opens the panel, in a shadow root of its own. */
export function createLauncher(host: HTMLElement, onPress: () => void): Launcher {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const button = document.createElement('button')
  const label = document.createElement('span')
  const icon = new Image()
  button.part = 'launcher'
  button.ariaHasPopup = 'dialog'
  // Once: a press whose node is exchanged before the pointer is let go is no click.
  button.append(label)
  root.append(button)
  button.addEventListener('click', onPress)
  return {
    draw: ({ language, launcherLabel, launcherIcon, position, launcher, mode }, wait) => {
      const [ask, again] = labelsOf(language || document.documentElement.lang || navigator.language)
      // Who has pressed it hears what becomes of it.
      button.ariaLive = wait && 'polite'
      label.textContent = wait === 'failed' ? again : launcherLabel || ask
      if (launcherIcon) button.prepend(Object.assign(icon, { src: launcherIcon, alt: '' }))
      else icon.remove()
      button.dataset['at'] = position
      button.dataset['wait'] = wait
      button.hidden = !wait && (launcher === 'none' || mode === 'none')
    },
    button,
  }
}
