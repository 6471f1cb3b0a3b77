import type { WidgetOptions } from '../options/widget-options.ts'
import type { Theme } from './page-theme.ts'

/** Makes an accent readable on the ground of a theme; of what is no colour, it makes nothing. Fetched only where a page has an accent. */
export type AccentLooks = (element: HTMLElement, accent: string, theme: Theme) => Record<string, string>

/** Sets the custom properties that the page's options stand for, and the theme. The element is in the page. */
export function applyLooks(
  element: HTMLElement,
  options: WidgetOptions,
  theme: Theme,
  accentLooks: AccentLooks | undefined,
): void {
  const { accent, radius, font, zIndex, offset } = options
  element.dataset['theme'] = theme
  const looks: Record<string, string> = {
    ...accentLooks?.(element, accent, theme),
    radius: CSS.supports('border-radius', radius) ? radius : '',
    z: zIndex,
    offset,
    font: font === 'inherit' ? getComputedStyle(document.body).fontFamily : '',
  }
  for (const [name, value] of Object.entries(looks)) element.style.setProperty(`--cw-${name}`, value)
}
