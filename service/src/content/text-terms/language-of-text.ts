const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** The commonest small words of languages in Latin and Cyrillic script. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    'the and of to in is for that with on are this be as by you it or from can not your have an if at when which will',
  ),
  de: words(
    'der die das und ist nicht mit ein eine einen einer werden wird für von zu den dem des auf sie sich auch oder im als bei aus kann zum zur es sind wenn',
  ),
  fr: words(
    'le la les des et est une dans que qui pour avec sont vous du un au aux sur pas par ne ce il votre cette ou plus être',
  ),
  es: words(
    'el los las una por para con del que se es en la un de lo su al como más no puede este esta y o si sus',
  ),
  pt: words(
    'os uma não da do das dos em para com que um se por na no mais como ao você são ou e o a as de seu sua pode',
  ),
  it: words(
    'il di che per non sono è una un con del della dei delle nel la le gli si da al alla come più o e in può questo',
  ),
  nl: words(
    'het een van op te zijn wordt voor en de in is dat met niet aan om je of bij ook als door naar worden kan deze',
  ),
  sv: words('och att som är det på av en ett för med den till inte om kan du har i eller från ska när'),
  da: words('og at som er det på af en et for med den til ikke om kan du har i eller fra skal når ved'),
  no: words('og at som er det på av en et for med den til ikke om kan du har i eller fra skal når ved'),
  pl: words('nie jest się na oraz do w z to że jak dla są przez lub od po i o aby może ten jego być'),
  cs: words('a je se na že to v s z do pro jako nebo od po k by jsou který může při která není tak'),
  tr: words('ve bir bu için ile da de olarak daha çok en veya gibi olan ne kadar sonra var değil her'),
  fi: words('ja on ei että se ovat tai kun voi myös sen jos joka ole kuin mutta ovat tämä niin'),
  hu: words('a az és hogy nem egy is van ez meg csak vagy ha mint kell lehet azt ki el'),
  ro: words('și în de la cu este pe pentru nu din care sau se un o mai să sunt prin dacă poate'),
  id: words('yang dan di untuk dengan ini pada dari adalah dalam tidak atau anda akan dapat ke itu bisa'),
  vi: words('và của là có được các cho không trong một với để người này khi từ những đã về'),
  ru: words('и в не на что это для как по с из или если от к при вы можно будет быть может'),
  uk: words('і в не на що це для як та з або якщо від до при ви можна буде бути може у'),
  bg: words('и в не на да за се от че това са с или ако като по при може до вие'),
  sr: words('и у не на да за се од је то су са или ако као по при може до ви'),
}

/** Scripts that tell the language by themselves, with those letters that only one of their languages has. */
const SCRIPTS: readonly (readonly [letters: RegExp, language: string, unless?: readonly [RegExp, string]])[] =
  [
    [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
    [/\p{Script=Hangul}/gu, 'ko'],
    [/\p{Script=Han}/gu, 'zh'],
    [/\p{Script=Thai}/gu, 'th'],
    [/\p{Script=Hebrew}/gu, 'he'],
    [/\p{Script=Arabic}/gu, 'ar', [/[پچژگکیے]/, 'fa']],
    [/\p{Script=Greek}/gu, 'el'],
    [/\p{Script=Devanagari}/gu, 'hi'],
    [/\p{Script=Tamil}/gu, 'ta'],
    [/\p{Script=Armenian}/gu, 'hy'],
  ]

/** One letter of these scripts says as much as this many Latin ones, since names in their texts are Latin; Japanese has Chinese ones too. */
const LETTERS_OF_WORD = 4

/** Letters of a text that are looked at. */
const MOST_CHARACTERS = 4_000

/** What makes it clear: so many small words of one language, in so many of all words, and so many times as many as of any other. */
const LEAST_WORDS = 4
const LEAST_SHARE = 0.12
const LEAST_LEAD = 1.3

function languageOfScript(text: string): string | undefined {
  const countOf = (letters: RegExp) => text.match(letters)?.length ?? 0
  const others = countOf(/[\p{Script=Latin}\p{Script=Cyrillic}]/gu)
  const found = SCRIPTS.find(([letters]) => {
    const count = countOf(letters)
    return count >= LEAST_WORDS && LETTERS_OF_WORD * count > others
  })
  if (found === undefined) return undefined
  const [, language, unless] = found
  return unless?.[0].test(text) === true ? unless[1] : language
}

/**
 * The language that a text is in, as its code: by its script, else by its small words. Undefined if it is unclear: a short text, code, or
 * a language that is not known here.
 *
 * @example
 * languageOfText('Die Schlüssel werden jede Nacht erneuert, wenn das so eingestellt ist.') // 'de'
 */
export function languageOfText(text: string): string | undefined {
  const looked = text.slice(0, MOST_CHARACTERS)
  const ofScript = languageOfScript(looked)
  if (ofScript !== undefined) return ofScript
  const found = looked.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const counts = Object.entries(SMALL_WORDS)
    .map(([language, small]) => ({ language, count: found.filter((word) => small.has(word)).length }))
    .sort((one, other) => other.count - one.count)
  const [best, second] = counts
  if (best === undefined || best.count < LEAST_WORDS || best.count < LEAST_SHARE * found.length)
    return undefined
  return best.count >= LEAST_LEAD * (second?.count ?? 0) ? best.language : undefined
}
