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
  Object.assign(button, { part: 'launcher', ariaHasPopup: 'dialog' })
  root.append(button)
  button.addEventListener('click', onPress)
  return {
    draw: ({ language, launcherLabel, launcherIcon, position, launcher, mode }, wait) => {
      const [ask, again] = labelsOf(language || document.documentElement.lang || navigator.language)
      // Who has pressed it hears what becomes of it.
      button.ariaLive = wait && 'polite'
      label.textContent = wait === 'failed' ? again : launcherLabel || ask
      button.replaceChildren(label)
      if (launcherIcon) button.prepend(Object.assign(new Image(), { src: launcherIcon, alt: '' }))
      button.classList.toggle('start', position === 'start')
      button.dataset['wait'] = wait
      button.hidden = !wait && [launcher, mode].includes('none')
    },
    button,
  }
}
