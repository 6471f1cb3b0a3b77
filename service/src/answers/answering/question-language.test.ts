import { expect, test } from 'vitest'
import { OWN_LANGUAGES, ownSentences } from './own-sentences.ts'
import { languageOfQuestion, soughtFor, withoutForeignWords } from './question-language.ts'

const of = (query: string, acceptLanguage?: string, base?: string) =>
  languageOfQuestion(query, { acceptLanguage, base })

test.each([
  ['How do I rotate a key?', 'en'],
  ['what is mcp', 'en'],
  ['Can I use it with Docker?', 'en'],
  ['Which ports must be open on the server?', 'en'],
  ['does it work offline', 'en'],
  ['Was ist MCP?', 'de'],
  ['Wie mache ich ein Backup?', 'de'],
  ['Gibt es eine Begrenzung für Anfragen?', 'de'],
  ['Schlüssel rotieren', 'de'],
  ['Comment faire une sauvegarde ?', 'fr'],
  ['Où sont les journaux du serveur ?', 'fr'],
  ['Peut-on limiter une clé à un domaine ?', 'fr'],
  ['¿Qué es MCP?', 'es'],
  ['como hago una copia de seguridad de los datos', 'es'],
  ['Dónde están los registros', 'es'],
  ['O que é MCP?', 'pt'],
  ['Como faço um backup dos dados?', 'pt'],
  ['Onde ficam os registros de erros', 'pt'],
  ['Come si fa un backup?', 'it'],
  ['Quali sono i limiti della chiave?', 'it'],
  ["Cos'è MCP?", 'it'],
  ['Hoe maak ik een back-up?', 'nl'],
  ['Wat is MCP?', 'nl'],
  ['Waar staan de logboeken van de server', 'nl'],
  ['バックアップはどうすればいいですか', 'ja'],
  ['APIキーのローテーション方法', 'ja'],
  ['백업은 어떻게 하나요?', 'ko'],
  ['API 키를 교체하는 방법', 'ko'],
  ['如何备份数据？', 'zh'],
  ['API 密钥怎么轮换', 'zh'],
  ['كيف أقوم بعمل نسخة احتياطية؟', 'ar'],
  ['איך מגבים את הנתונים?', 'he'],
])('%s is %s, whatever the hints', (query, language) => {
  expect([of(query), of(query, 'fr-CA,fr;q=0.9', 'ja'), of(query, undefined, 'de')]).toEqual([
    language,
    language,
    language,
  ])
})

test.each([
  'error E12',
  'E404',
  'O365 login',
  'OS upgrade',
  'DOS boot',
  'LA region',
  'SI units',
  'VAN line',
  'USB C cable price',
  'plan C price',
  'drive D',
  'I/O error',
  'van line',
  'man page',
  'delete comment',
  'was deleted',
  'price per user per month',
  'no such file as example.com.do',
  'Los Angeles office',
  'El Niño effect',
  'IS NULL',
])('%s is English to an English reader and in an English base', (query) => {
  expect([of(query, 'en-US,en;q=0.9'), of(query), of(query, undefined, 'en')]).toEqual(['en', 'en', 'en'])
  expect(withoutForeignWords(query, (language) => language === 'en')).toBe(query)
})

test('one small word is too little to tell: the hints decide, as far as they are possible', () => {
  expect(of('van Docker', 'nl')).toBe('nl')
  expect(of('van Docker', 'en', 'nl')).toBe('en')
  expect(of('van Docker', undefined, 'nl')).toBe('nl')
  expect(of('van Docker', 'ja', 'de')).toBe('de')
  // The conversation says more than the browser.
  const earlier = ['Wie geht das?', 'Docker?']
  expect(languageOfQuestion('Podman?', { acceptLanguage: 'en', base: undefined, earlier })).toBe('de')
  // Letters of languages that are not ours.
  expect(of('Göre için şifre nasıl değiştirilir')).toBe('en')
  // In capitals only.
  expect(of('WIE GEHT DAS BITTE')).toBe('de')
})

test('what shows no language is of the reader, then of the base, then English', () => {
  for (const query of ['MCP', 'Webhooks?', '403', 'POST /api/v1/chat', '']) {
    expect(of(query)).toBe('en')
    expect(of(query, undefined, 'de')).toBe('de')
    expect(of(query, 'nl-BE,nl;q=0.9,en;q=0.8', 'de')).toBe('nl')
    // None of ours, or nothing at all: what programs send.
    expect(of(query, '*', 'pt-BR')).toBe('pt')
    expect(of(query, 'fi-FI,fi;q=0.9', 'de')).toBe('de')
    expect(of(query, 'iw', undefined)).toBe('he')
    expect(of(query, 'fi', 'sv')).toBe('en')
  }
  // It can be Spanish or Portuguese.
  expect(of('como instalar', 'de', 'pt')).toBe('pt')
  expect(of('como instalar', 'es-MX', 'pt')).toBe('es')
})

test('languages in the same scripts that are not ours fall back', () => {
  expect(of('چگونه از داده‌ها پشتیبان بگیرم؟', undefined, 'de')).toBe('de')
  expect(of('Как сделать резервную копию?')).toBe('en')
})

test('of a question in a language that pages and model do not know, the words are left that it may share with them', () => {
  const onEnglish = (query: string) => withoutForeignWords(query, (language) => language === 'en')
  expect(onEnglish('Wie mache ich ein Backup?')).toBe('Backup?')
  expect(onEnglish('Comment faire pour installer le plugin OAuth ?')).toBe('installer plugin OAuth ?')
  expect(onEnglish('How do I make a backup?')).toBe('How do I make a backup?')
  expect(onEnglish('Wie ist das?')).toBe('Wie ist das?')
  expect(onEnglish('OAuth 403')).toBe('OAuth 403')
  expect(withoutForeignWords('Wie mache ich ein Backup?', () => true)).toBe('Wie mache ich ein Backup?')
})

test('the language of a base is known without its region; a base without one is English', () => {
  const sought = (query: string, language?: string) =>
    soughtFor(query, { language }, { embedder: { language: 'en' } })
  expect(sought('Wie mache ich ein Backup?', 'de-AT')).toBe('Wie mache ich ein Backup?')
  expect(sought('Como faço um backup dos dados?', 'pt-BR')).toBe('Como faço um backup dos dados?')
  expect(sought('Como faço um backup dos dados?', 'de_AT')).toBe('backup dados?')
  expect(sought('Wie mache ich ein Backup?')).toBe('Backup?')
  expect(soughtFor('Wie mache ich ein Backup?', { language: 'fr' }, { embedder: undefined })).toBe('Backup?')
})

test('a long or hostile question is read within bounds', () => {
  const started = performance.now()
  expect(of(`Wie mache ich ${'a'.repeat(100_000)}`, 'x'.repeat(100_000))).toBe('de')
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('each language has every sentence, and no two have the same', () => {
  const all = OWN_LANGUAGES.map((language) => {
    const { notCovered, nearest, says, from, unsupported } = ownSentences(language)
    expect(says('v2')).toContain('v2')
    expect(says(undefined)).not.toContain('undefined')
    expect(from('Keys')).toContain('Keys')
    expect([nearest, says(undefined), from('Keys')].every((text) => /[:：]$/.test(text))).toBe(true)
    return [notCovered, nearest, says(undefined), unsupported]
  }).flat()
  expect(OWN_LANGUAGES).toHaveLength(12)
  expect(new Set(all).size).toBe(12 * 4)
})
