import type { Span } from '../../platform/patterns/linear-pattern.ts'

/** Soft hyphens, joiners, direction marks, variation selectors: what is copied from pages and address books has them within words. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE, '')

/** A text as a person sees it, and where a stretch of that stands in the text itself. */
export function visibleText(text: string): { visible: string; spanOf: (span: Span) => Span } {
  const visible = withoutInvisible(text)
  if (visible.length === text.length) return { visible, spanOf: (span) => span }
  const places: number[] = []
  let from = 0
  const keep = (until: number) => {
    for (let at = from; at < until; at += 1) places.push(at)
  }
  for (const { 0: sign, index } of text.matchAll(INVISIBLE)) {
    keep(index)
    from = index + sign.length
  }
  keep(text.length)
  return {
    visible,
    spanOf: ({ start, end }) => ({
      start: places[start] ?? text.length,
      end: (places[end - 1] ?? text.length - 1) + 1,
    }),
  }
}
