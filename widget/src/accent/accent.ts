import type { Theme } from '../panel/page-theme.ts'

type Rgb = readonly [number, number, number]

/** Grounds that the accent is read on, of the default look. */
const GROUND = { light: '#fff', dark: '#161d1c' }
const DARK_INK = '#04211f'

/** Red, green and blue of any colour of CSS, 0 to 1, as the browser computes them. */
function rgbOf(element: HTMLElement, colour: string): Rgb {
  element.style.color = `color-mix(in srgb,${colour} 100%,#000 0%)`
  const [r = 0, g = 0, b = 0] = (/srgb (.+?)(\/|\))/.exec(getComputedStyle(element).color)?.[1] ?? '')
    .split(' ')
    .map(Number)
  element.style.color = ''
  return [r, g, b]
}

const channel = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const luminance = ([r, g, b]: Rgb) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)

function contrast(one: Rgb, other: Rgb): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

/**
 * The accent of a page, made readable: below 4.5:1 on its ground it is made darker or lighter, in OKLCH, so that its hue stays.
 * The text on it is white or dark, whichever is easier to read.
 */
export function accentLooks(element: HTMLElement, accent: string, theme: Theme): Record<string, string> {
  const ground = rgbOf(element, GROUND[theme])
  for (let step = 0; step <= 25; step++) {
    const colour = `oklch(from ${accent} calc(l ${theme === 'dark' ? '+' : '-'} ${step * 0.04}) c h)`
    const rgb = rgbOf(element, colour).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb
    if (contrast(rgb, ground) >= 4.5)
      return {
        accent: `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')})`,
        'on-accent': contrast(rgb, [1, 1, 1]) >= contrast(rgb, rgbOf(element, DARK_INK)) ? '#fff' : DARK_INK,
      }
  }
  return {}
}
