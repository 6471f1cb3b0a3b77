import type { Theme } from '../panel/page-theme.ts'

type Rgb = readonly [number, number, number]

/** Grounds that the accent is read on, of the default look. */
const GROUND = { light: '#fff', dark: '#161d1c' }
const DARK_INK = '#04211f'

/** Red, green and blue of any colour of CSS, 0 to 1, as the browser computes them for an element of ours. */
function rgbOf(probe: HTMLElement, colour: string): Rgb {
  probe.style.color = `color-mix(in srgb,${colour} 100%,#000 0%)`
  const [r = 0, g = 0, b = 0] = (/srgb (.+?)(\/|\))/.exec(getComputedStyle(probe).color)?.[1] ?? '')
    .split(' ')
    .map(Number)
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
export function accentLooks(host: HTMLElement, accent: string, theme: Theme): Record<string, string> {
  const none = { accent: '', 'on-accent': '' }
  if (!CSS.supports('color', `oklch(from ${accent} l c h)`)) return none
  // Inside the shadow root, where no style of the page reaches. The host itself has no colour of its own: the panel's sheet resets it.
  const probe = document.createElement('i')
  host.shadowRoot?.append(probe)
  const ground = rgbOf(probe, GROUND[theme])
  let looks: Record<string, string> | undefined
  for (let step = 0; step <= 25 && !looks; step++) {
    const colour = `oklch(from ${accent} calc(l ${theme === 'dark' ? '+' : '-'} ${step * 0.04}) c h)`
    const rgb = rgbOf(probe, colour).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb
    if (contrast(rgb, ground) >= 4.5)
      looks = {
        accent: `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')})`,
        'on-accent': contrast(rgb, [1, 1, 1]) >= contrast(rgb, rgbOf(probe, DARK_INK)) ? '#fff' : DARK_INK,
      }
  }
  probe.remove()
  return looks ?? none
}
