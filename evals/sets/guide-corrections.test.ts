import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lettersOf } from '../measures/words.ts'
import { GUIDE_CORRECTIONS } from './guide-corrections.ts'

const GUIDE = resolve(import.meta.dirname, '../../docs/guide')

test('every corrected text is on a page of the guide', () => {
  const pages = readdirSync(GUIDE)
    .filter((name) => name.endsWith('.md'))
    .map((name) => lettersOf(readFileSync(join(GUIDE, name), 'utf8')))
  const texts = Object.entries(GUIDE_CORRECTIONS).flatMap(([id, { answer }]) =>
    [answer].flat().map((text) => ({ id, text })),
  )
  expect(texts.filter(({ text }) => !pages.some((page) => page.includes(lettersOf(text))))).toEqual([])
  expect(texts.length).toBeGreaterThan(0)
})
