import type { SaidOptions } from '../options/given-options.ts'
import { avoidPlaces } from './avoid-places.ts'
import css from './launcher.css?inline'
import { labelOf } from './launcher-labels.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** A speech bubble with two lines of text, the second with a citation. */
const BUBBLE =
  'M6 4h12a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-6l-5 4v-4H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3zM8 9h8M8 13h4M16 13h0'

function iconOf(address = ''): Element {
  if (address) return Object.assign(document.createElement('img'), { src: address, alt: '' })
  const svg = document.createElementNS(SVG, 'svg')
  const path = document.createElementNS(SVG, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  path.setAttribute('d', BUBBLE)
  svg.append(path)
  return svg
}

export interface Launcher {
  update(said: SaidOptions): void
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
  avoidPlaces(button)
  return {
    update: ({ language, launcherLabel, launcherIcon, position, launcher, mode }) => {
      label.textContent =
        launcherLabel || labelOf(language || document.documentElement.lang || navigator.language)
      button.replaceChildren(iconOf(launcherIcon), label)
      button.classList.toggle('start', position === 'start')
      button.hidden = launcher === 'none' || mode === 'none'
    },
    button,
  }
}
