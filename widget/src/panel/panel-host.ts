import css from './panel.css?inline'

let sheets: CSSStyleSheet[] | undefined

/** The sheets of all places of the page: that of the panel, and one for answers. Constructed sheets need no `style-src` of the page. */
function sheetsOnce(): CSSStyleSheet[] {
  if (sheets === undefined) {
    sheets = [new CSSStyleSheet(), new CSSStyleSheet()]
    sheets[0]?.replaceSync(css)
  }
  return sheets
}

/** Sets how answers look, in all places of the page. */
export const styleAnswers = (rules: string): void => sheetsOnce()[1]?.replaceSync(rules)

/** Gives an element its shadow root, from which no key reaches the page: neither its shortcuts nor its search field. */
export function openHost(element: HTMLElement): ShadowRoot {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = sheetsOnce()
  for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'cut'])
    element.addEventListener(type, (event) => event.stopPropagation())
  // A page that looks at the element only (a listener in the capture phase, too) sees a field in which somebody writes.
  Object.defineProperty(element, 'isContentEditable', {
    configurable: true,
    get: () => root.activeElement !== null,
  })
  return root
}

/** The slot for what a check shows. Its content is of the page, not of the shadow root: scripts of checks look for it there. */
const CHECK = 'check'

/** Where checks that need the reader are shown, within a dialog or box of the panel. */
export function makeCheckSlot(): HTMLElement {
  return Object.assign(document.createElement('slot'), { name: CHECK, className: 'check' })
}

/** A new place of a check in a panel. */
export function openCheckPlace(host: HTMLElement): HTMLElement {
  const place = Object.assign(document.createElement('div'), { slot: CHECK })
  host.append(place)
  return place
}
