import type { Page } from 'playwright-core'

/**
 * Text whose contrast to its background is too low: WCAG 2.2, success criterion 1.4.3, 4.5 to 1, or 3 to 1 for text of 24 px, or of 18.66 px in
 * bold. axe leaves it undecided in a modal dialog, as it does not see what lies behind its text. Text over an image is left undecided here, too.
 *
 * @param within - selects the elements whose text is read, with that of their shadow trees
 */
export async function contrastFaults(page: Page, within: string): Promise<string[]> {
  return await page.evaluate(readContrast, within)
}

/** Runs in the page: it has nothing from outside. */
function readContrast(within: string): string[] {
  type Colour = readonly [red: number, green: number, blue: number, opacity: number]
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('No colour can be read without a canvas.')
  const pixel = context
  const colours = new Map<string, Colour>()

  /** In sRGB, whatever form the style has it in. */
  function colourOf(value: string): Colour {
    const known = colours.get(value)
    if (known !== undefined) return known
    pixel.clearRect(0, 0, 1, 1)
    pixel.fillStyle = value
    pixel.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, opacity = 0] = pixel.getImageData(0, 0, 1, 1).data
    const colour = [red, green, blue, opacity / 255] as const
    colours.set(value, colour)
    return colour
  }
  const over = (top: Colour, below: Colour, opacity = top[3]): Colour => {
    const mixed = (place: 0 | 1 | 2) => top[place] * opacity + below[place] * (1 - opacity)
    return [mixed(0), mixed(1), mixed(2), 1]
  }
  /** Relative luminance, as WCAG defines it. */
  function luminanceOf(colour: Colour): number {
    const linear = (place: 0 | 1 | 2) => {
      const part = colour[place] / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }
    return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
  }

  /** In the tree that is painted. */
  function parentOf(element: Element): Element | null {
    const root = element.getRootNode()
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  }
  function* upwards(element: Element): Generator<Element> {
    for (let at: Element | null = element; at !== null; at = parentOf(at)) yield at
  }

  /** What lies behind the text of an element, and how much of the text is to be seen. Undefined: an image, or nothing opaque. */
  function behind(element: Element): { colour: Colour; opacity: number } | undefined {
    const layers: Colour[] = []
    let opacity = 1
    for (const at of upwards(element)) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none') return undefined
      const colour = colourOf(style.backgroundColor)
      if (colour[3] === 1)
        return { colour: layers.reduceRight((below, layer) => over(layer, below), colour), opacity }
      if (colour[3] > 0) layers.push(colour)
      opacity *= Number(style.opacity)
    }
    return undefined
  }

  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    // Text for screen readers alone is in a box of a pixel.
    upwards(element).every((at) => {
      const { width, height } = at.getBoundingClientRect()
      return (width > 1 && height > 1) || getComputedStyle(at).overflow === 'visible'
    })
  /** Inactive controls need no contrast. */
  const isInactive = (element: Element) =>
    upwards(element).some((at) => at.matches(':disabled, [aria-disabled=true], [inert]'))

  const faults = new Set<string>()
  function judge(element: Element, text: string): void {
    if (!isSeen(element) || isInactive(element)) return
    const style = getComputedStyle(element)
    const background = behind(element)
    if (background === undefined) return
    const own = colourOf(style.color)
    const shown = over(own, background.colour, own[3] * background.opacity)
    const [light = 0, dark = 0] = [luminanceOf(shown), luminanceOf(background.colour)].toSorted(
      (a, b) => b - a,
    )
    const contrast = (light + 0.05) / (dark + 0.05)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast < (isLarge ? 3 : 4.5))
      faults.add(
        `contrast ${contrast.toFixed(2)}: ${text.trim().slice(0, 60)} (${style.color} on ${background.colour.map(Math.round).join(' ')})`,
      )
  }

  function read(root: Element | ShadowRoot): void {
    // What is behind a modal dialog cannot be used.
    const start = root.querySelector(':modal') ?? root
    const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let at: Node | null = walker.currentNode; at !== null; at = walker.nextNode()) {
      if (at instanceof Element) {
        if (at.shadowRoot !== null) read(at.shadowRoot)
      } else if (at.parentElement !== null && at.textContent?.trim() !== '' && at instanceof Text)
        judge(at.parentElement, at.data)
    }
  }
  for (const element of document.querySelectorAll(within)) read(element)
  return [...faults]
}
