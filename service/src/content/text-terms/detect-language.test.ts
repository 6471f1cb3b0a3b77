import { describe, expect, it } from 'vitest'
import { detectLanguage } from './detect-language.ts'

describe('the language of a text', () => {
  it.each([
    [
      'en',
      'The service starts on port 3000. Open it in a browser, and give it the address of your documentation.',
    ],
    [
      'de',
      'Der Dienst startet auf Port 3000. Öffnen Sie ihn im Browser und geben Sie ihm die Adresse der Dokumentation.',
    ],
    [
      'fr',
      'Le service démarre sur le port 3000. Ouvrez-le dans un navigateur et donnez-lui l’adresse de la documentation.',
    ],
    [
      'ja',
      'サービスはポート三千番で起動します。ブラウザーで開き、ドキュメントのアドレスを入力してください。インデックスの作成が終わると質問できます。',
    ],
  ])('is %s', async (language, text) => {
    expect(await detectLanguage(text)).toBe(language)
  })

  it('is not guessed from a few words, nor from code', async () => {
    expect(await detectLanguage('Das Haus')).toBeUndefined()
    const code = 'const connection = await openDatabaseConnection({ address, password, retries })\n'
    expect(await detectLanguage(`\`\`\`ts\n${code.repeat(5)}\`\`\``)).toBeUndefined()
  })
})
