import { describe, expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

const told = (text: string) => sentencesOf(text).map((sentence) => sentence.text)

/** Texts whose sentences are divided by `|`, which is not part of them. */
const DIVIDED = {
  'signs within a quotation': [
    '**Neither "fixup!" nor "amend!"** commits change authorship. |Nothing does.',
    'He said "Stop! Now." |Then he left. |„Halt! Nein.“ |Gut. |“Go. Now.” |Yes.',
    'It is so (see A. Then B.) every time. |Next.',
  ],
  'signs within names and code': [
    'HEAD..HEAD is empty, r1^! is not. |The *r1^!* Notation and *.C:cs stay. |See .Net and .. Then go.',
    'It is v1.2.3 of Node.js. |Then 3 retries. |Is it #! Or not?',
  ],
  'marks behind the end': [
    '**Warning!** |Do it. |**Do not say it. |It is secret.** |In 1985.[1][2] |It grew.',
    'One.\n|Two',
  ],
  'a lower-case letter behind the end': ['Is it safe? yes, it is. |In approx. 30 minutes it ends… then not.'],
  'abbreviations of English': [
    'The U.S. Army, e.g. Smith et al. Then Mr. J. R. Ford in no. 5. |Is it? |No. |Then go.',
  ],
  'abbreviations of German': [
    'Dateien, z.B. Bilder, d.h. Fotos bzw. Filme, ca. Hundert, vgl. Kap. Drei, z. B. Nr. 5. |Dann geht es.',
    'Am 3. Oktober im 19. Jahrhundert, am 1. Mai. |Es kostet 5. |Danach mehr.',
  ],
  'abbreviations of other languages': [
    'Un archivo, p. ej. Docker, págs. 5, Sra. López. |Otro.',
    'Un fichier, p. ex. Docker, env. 5, M. Dupont. |Vraiment ? |Oui.',
    'Un file, ecc. Docker, dott. Rossi. |Um, pág. 5, aprox. Dez. |Een, bijv. Docker, d.w.z. Linux, enz. Twee.',
  ],
  'a full stop that stands alone, but before a capital letter behind a word': [
    'It is a hormone . |It regulates fats . |Low levels matter .',
    'Run cd . and git add . again. |List ./ . Then .. Then - . Then go.',
  ],
  'numbers that count': ['1. Stop it. |2. Start it.'],
  'scripts without spaces': ['他来了。|我走了！|你呢？|好。'],
}

describe('sentences', () => {
  test.each(Object.entries(DIVIDED))('are not divided at %s', (_, texts) => {
    for (const text of texts) expect(told(text.replaceAll('|', ''))).toEqual(text.split('|'))
  })

  test('are the whole text, in order, also of one that never ends', () => {
    for (const text of ['', '  A. B.  ', '( A. '.repeat(5_000), '" Aa. '.repeat(5_000), '. '.repeat(5_000)]) {
      expect(told(text).join('')).toBe(text)
      expect(sentencesOf(text).every(({ start, end, text: own }) => text.slice(start, end) === own)).toBe(
        true,
      )
    }
  })

  test('end again behind a bracket that was never closed', () => {
    const text = `A bracket (that is open. ${'It is long. '.repeat(60)}`
    expect(told(text).length).toBeGreaterThan(3)
  })
})
