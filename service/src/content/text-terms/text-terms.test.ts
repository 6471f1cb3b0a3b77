import { assert as always, asyncProperty, array, constantFrom, oneof, property, string } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { analyseTerms } from './text-terms.ts'

/** Whether a text in one form is found by a question in another. */
const isFoundBy = (text: string, question: string, language: string | undefined) => {
  const terms = new Set(analyseTerms(text, language))
  const asked = analyseTerms(question, language)
  return asked.length > 0 && asked.every((term) => terms.has(term))
}

describe('program names', () => {
  it.each([
    ['foo.bar_baz', ['foo', 'bar', 'baz', 'barbaz', 'foobarbaz']],
    ['std::vector', ['std', 'vector', 'stdvector']],
    ['ERR_CODE_1', ['err', 'code', '1', 'errcode1']],
    ['maxQueueSize', ['maxqueues', 'max', 'queue', 'size']],
    ['HTMLParser', ['htmlparser', 'html', 'parser']],
    ['--dry-run', ['dry', 'run', 'dryrun', 'optiondryrun']],
    ['-v', ['v', 'optionv']],
    ['docs/api/auth.md', ['doc', 'api', 'auth', 'md', 'docsapiauthmd']],
    ['v3.11.2', ['v3d11d2', 'v3d11']],
    ['__init__', ['init']],
    ['C++ and C#', ['cplusplu', 'csharp']],
  ])('%s is found as a whole and by its parts', (name, terms) => {
    expect(analyseTerms(name, 'en')).toEqual(terms)
  })

  it.each([
    ['set max_queue_size to 5', 'maxQueueSize'],
    ['calls `WebSocket`', 'web-socket'],
    ['pass --dry-run', '--dry-run'],
    ['pass --dry-run', 'dry run'],
    ['released in 3.11.2', 'v3.11'],
    ["it doesn't start the server's loop", 'start server loop'],
  ])('%j is found by %j', (text, question) => {
    expect(isFoundBy(text, question, 'en')).toBe(true)
  })

  it('distinguishes an option from the plain word', () => {
    expect(isFoundBy('watch the logs', '--watch', 'en')).toBe(false)
  })

  it('does not join words across sentences and dashes', () => {
    expect(analyseTerms('the end...Next line--maybe', 'en')).toEqual(['end', 'next', 'line', 'mayb'])
  })
})

describe('languages', () => {
  it.each([
    ['en', 'Configuring the connections', 'configure connection'],
    ['en-GB', 'Configuring', 'configured'],
    [undefined, 'Configuring', 'configured'],
    ['de', 'Die Häuser größerer Städte', 'haus stadt'],
    ['de', 'Straße', 'STRASSE'],
    ['es', 'las configuraciones', 'configuración'],
    ['fr', 'les réseaux configurés', 'réseau configurer'],
    ['it', 'connessioni', 'connessione'],
    ['pt', 'os servidores', 'servidor'],
    ['nl', 'verbindingen', 'verbinding'],
    ['sv', 'anslutningar', 'anslutning'],
    ['ru', 'настройка серверов', 'настройки сервера'],
    ['tr', 'SUNUCULARIN', 'sunucu'],
    ['ro', 'conexiunile', 'conexiune'],
    ['el', 'συνδέσεις', 'σύνδεση'],
    ['ar', 'الخوادم', 'خوادم'],
    ['hi', 'किताबें', 'किताब'],
    ['zh', '如何配置数据库连接', '数据库'],
    ['ja', 'サーバーの設定方法', '設定'],
    ['ko', '서버에서 설정합니다', '서버'],
    ['th', 'การตั้งค่าเซิร์ฟเวอร์', 'เซิร์ฟเวอร์'],
    ['pl', 'połączenie', 'polaczenie'],
  ])('%s: %j is found by %j', (language, text, question) => {
    expect(isFoundBy(text, question, language)).toBe(true)
  })

  it('uses the script of a word before the language of the text', () => {
    expect(isFoundBy('настройка серверов', 'настройки сервера', 'en')).toBe(true)
    expect(isFoundBy('Настройте connection pooling', 'connections pool', 'ru')).toBe(true)
  })

  it('omits English stop words', () => {
    expect(analyseTerms('How do I do this with a pool?', 'en')).toEqual(['with', 'pool'])
    expect(analyseTerms('was', 'de')).toEqual(['was'])
  })

  it('keeps diacritics in languages whose words differ by them', () => {
    expect(analyseTerms('ma', 'vi')).not.toEqual(analyseTerms('má', 'vi'))
  })
})

describe('any text', () => {
  const anyText = oneof(
    string({ unit: 'binary' }),
    string({ unit: 'grapheme' }),
    array(
      constantFrom(
        'foo',
        '_',
        '.',
        '::',
        '-',
        '--',
        'Bar',
        '1',
        '1e5',
        'é',
        '数据',
        'ไทย',
        'हिन्दी',
        ' ',
        "'s",
      ),
    ).map((parts) => parts.join('')),
  )
  const language = constantFrom('en', 'de', 'tr', 'hi', 'vi', 'zh', 'xx', undefined)

  let storage: TestStorage
  beforeAll(async () => {
    storage = await openTestStorage()
  })
  afterAll(() => storage.close())

  it('loses no word, whatever the separators', () => {
    const words = constantFrom('alpha', 'Beta', 'gammaDelta', 'データ', 'v2')
    const between = constantFrom(
      ' ',
      '-',
      '--',
      '---',
      '_',
      '__',
      '.',
      '...',
      '/',
      '::',
      ':',
      ' -',
      "'",
      '’',
      '(',
      '—',
      '\n',
    )
    always(
      property(
        array(words, { minLength: 2, maxLength: 2 }),
        between,
        between,
        ([first = '', last = ''], left, middle) => {
          const expected = [...analyseTerms(first, 'en'), ...analyseTerms(last, 'en')]
          expect(analyseTerms(`${left}${first}${middle}${last}`, 'en')).toEqual(
            expect.arrayContaining(expected),
          )
        },
      ),
    )
  })

  it('becomes lower-case ASCII letters and digits', () => {
    always(
      property(anyText, language, (text, spoken) => {
        for (const term of analyseTerms(text, spoken)) expect(term).toMatch(/^[a-z0-9]{1,40}$/)
      }),
    )
  })

  it('gives the same terms in any Unicode normalization form', () => {
    always(
      property(anyText, language, (text, spoken) => {
        expect(analyseTerms(text.normalize('NFD'), spoken)).toEqual(
          analyseTerms(text.normalize('NFC'), spoken),
        )
      }),
    )
  })

  it('is kept unchanged by the database, term for term', async () => {
    await always(
      asyncProperty(anyText, language, async (text, spoken) => {
        const terms = analyseTerms(text, spoken)
        const { rows } = await storage.execute(
          `select array(select lexeme from unnest(to_tsvector('simple', $1)) order by lexeme collate "C") as kept`,
          [terms.join(' ')],
        )
        expect(rows[0]?.['kept']).toEqual([...new Set(terms)].sort())
      }),
      { numRuns: 300 },
    )
  })
})

it('reads a word of any length in linear time', () => {
  for (const language of ['en', 'de', 'ru', 'ar', 'ja', 'th', 'tr', undefined]) {
    for (const word of [
      'aB',
      'a',
      'a.b',
      'a_b',
      'a::',
      'é',
      '漢字',
      'กข',
      'ж',
      'e\u0301\u0323',
      '1',
      '--a',
    ]) {
      const terms = analyseTerms(word.repeat(30_000), language)
      expect(terms.length).toBeGreaterThan(0)
    }
  }
})
