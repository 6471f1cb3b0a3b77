import type { Page } from 'playwright-core'

/** The part of the pixels that differ in two pictures (PNG, Base64), 0 to 1; 1 if they have different sizes. Any page reads them. */
export const differenceOf = async (page: Page, one: string, other: string): Promise<number> =>
  await page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          canvas?.drawImage(bitmap, 0, 0)
          return canvas?.getImageData(0, 0, bitmap.width, bitmap.height)
        }),
      )
      if (!a || !b || a.width !== b.width || a.height !== b.height) return 1
      let count = 0
      for (let at = 0; at < a.data.length; at += 4)
        if ([0, 1, 2].some((part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)) > 8))
          count++
      return count / (a.data.length / 4)
    },
    [one, other],
  )
