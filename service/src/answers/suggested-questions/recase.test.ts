import { expect, test } from 'vitest'
import { createRecase } from './recase.ts'

const recase =
  createRecase(`Use the key with Acme, as docs.acme.com says of acme_key. A key of Acme Cloud is shown by Acme.
Key Rotation
The SQLite file holds a table.`)

test('title-case capitals are removed, those of a name are kept', () => {
  expect(recase.phrase('Key Rotation in Acme Cloud')).toBe('key rotation in Acme Cloud')
  expect(recase.phrase('The SQLite API for EC2')).toBe('the SQLite API for EC2')
  expect(recase.phrase('Obtain A Table')).toBe('obtain a table')
})

test('an unknown word keeps its capital unless the whole title is in title case', () => {
  expect(recase.phrase('Gunicorn')).toBe('Gunicorn')
  expect(recase.phrase('Gunicorn Table')).toBe('gunicorn table')
})

test('a name is a word that running text capitalizes, or that has inner capitals', () => {
  expect(recase.isName('Acme')).toBe(true)
  expect(recase.isName('SQLite')).toBe(true)
  expect(recase.isName('Key')).toBe(false)
  expect(recase.isName('Rotation')).toBe(false)
})
