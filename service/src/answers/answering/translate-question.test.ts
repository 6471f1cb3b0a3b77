import { expect, test } from 'vitest'
import { FOREIGN_WORDS } from './foreign-words.ts'
import { inEnglish, translatedFor } from './translate-question.ts'

test.each([
  ['Wie ändere ich den Port des Dev-Servers?', 'change Port Dev Servers'],
  ['Wie lösche ich eine Datei?', 'delete file'],
  ['Kann man server.port in der Konfigurationsdatei setzen?', 'server.port in configuration set'],
  ['Welche Umgebungsvariablen gibt es für ACME_PORT?', 'environment variable ACME_PORT'],
  ["Comment limiter la taille d'une requête ?", 'limit size request'],
  ['Comment créer un compte ?', 'create account'],
  ['¿Cómo cambio la contraseña?', 'change password'],
  ['環境変数を使うには？', 'environment variable use'],
  ['Node.js でファイルを削除する方法', 'Node.js file delete'],
  ['如何备份数据库？', 'backup database'],
])('%s is: %s', (query, english) => {
  expect(inEnglish(query)).toBe(english)
})

test('what the dictionary does not have stays, and a question of which it has nothing is left alone', () => {
  expect(inEnglish('Wie lösche ich Kafka-Warteschlangen?')).toBe('delete Kafka Warteschlangen')
  for (const query of ['How do I delete a file?', 'Wie backe ich einen Apfelkuchen?', 'Datei', '403', ''])
    expect(inEnglish(query)).toBeUndefined()
})

test('only pages that may be in English are searched in English', () => {
  const query = 'Wie lösche ich eine Datei?'
  const english = { embedder: { language: 'en' } }
  expect(translatedFor(query, { language: undefined }, english)).toBe('delete file')
  expect(translatedFor(query, { language: 'en-GB' }, { embedder: undefined })).toBe('delete file')
  expect(translatedFor(query, { language: 'de' }, english)).toBeUndefined()
  expect(translatedFor(query, { language: undefined }, { embedder: { language: undefined } })).toBeUndefined()
})

test('no word of a language stands twice in its dictionary', () => {
  for (const lines of Object.values(FOREIGN_WORDS)) {
    const words = lines.split('\n').flatMap((line) => line.split(':')[1]?.trim().split(/\s+/) ?? [])
    expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([])
  }
})

test('a long or hostile question is read within bounds', () => {
  const started = performance.now()
  inEnglish(`Wie lösche ich ${'löschen-'.repeat(50_000)}`)
  inEnglish('環'.repeat(100_000))
  expect(performance.now() - started).toBeLessThan(1_000)
})
