import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = resolve(import.meta.dirname, '../dashboard/src')

/** What each part of the dashboard may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  ui: ['ui'],
  api: ['api', 'ui'],
  rooms: ['api', 'ui'],
  app: ['app', 'rooms', 'api', 'ui'],
  gallery: ['ui'],
}

const partOf = (file: string) => relative(SOURCES, file).split('/').slice(0, 2)

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    resolve(dirname(file), path),
  )

test('a room of the dashboard imports the API and the components, and never another room', () => {
  const files = globSync(join(SOURCES, '**/*.{ts,tsx}'))
  const wrong = files.flatMap((file) =>
    importsOf(file).flatMap((imported) => {
      const [[part = '', room], [from = '', ofRoom]] = [partOf(file), partOf(imported)]
      const isOwnRoom = part === 'rooms' && from === 'rooms' && room === ofRoom
      return isOwnRoom || MAY_IMPORT[part]?.includes(from) === true
        ? []
        : [`${relative(SOURCES, file)} imports ${relative(SOURCES, imported)}`]
    }),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})

test('the dashboard has no screen for webhooks', () => {
  const named = globSync(join(SOURCES, '**/*.{ts,tsx}')).filter((file) =>
    /webhook/i.test(readFileSync(file, 'utf8')),
  )
  expect(named).toEqual([])
})
