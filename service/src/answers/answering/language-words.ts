const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

export type LatinLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl'

/**
 * Words that ask: they are rare in other languages, and count twice. Small words, which several languages may share. And words that tell a
 * language too but say what a question is about, so that they are searched for.
 */
export const LATIN: Record<
  LatinLanguage,
  { asking: ReadonlySet<string>; small: ReadonlySet<string>; telling?: ReadonlySet<string> }
> = {
  en: {
    asking: words('how what why when where which who whom whose does did should would could'),
    small: words(
      'a an the is are was were can do has have had i my me we you your they their to of for from with in on by at if it its this that these those and or not no be been there get as but all any after before between into only than then too so such',
    ),
  },
  de: {
    asking: words(
      'wie was warum wieso wann wo wer welche welcher welches welchen welchem wem wen wofür womit woher wohin',
    ),
    small: words(
      'ich mein meine meinen wir man kann der die das den dem des ein eine einen einer ist sind wird werden mit für von zu im am auf nicht und oder es gibt sich muss bei aus mache machen macht können wurde wurden wenn dass nach vom zum zur kein keine jede jeder diese dieser nur noch',
    ),
    telling: words(
      'kostet bedeutet heißt passiert funktioniert brauche brauchen installieren ändern löschen',
    ),
  },
  fr: {
    asking: words('comment pourquoi quand où quel quelle quels quelles combien quoi'),
    small: words(
      'je mon ma mes on nous vous le la les l un une des du d est sont peut puis dans pour avec sur pas ne et ou que qui ce il au aux qu faire fais',
    ),
    telling: words(
      'utiliser créer supprimer ajouter changer activer désactiver configurer limiter obtenir savoir voir mettre fonctionne',
    ),
  },
  es: {
    asking: words('cómo qué cuándo dónde cuál cuáles quién cuánto cuántos'),
    small: words(
      'como que yo mi mis se el la los las un una unos es son puedo puede hay en de del para con por no y o al está lo hago hacer',
    ),
  },
  pt: {
    asking: words('quando onde qual quais quem quanto quantos'),
    small: words(
      'como que por eu meu minha se o a os as um uma é são posso pode há em no na nos do da dos das para com não e ou ao está de faço fazer',
    ),
  },
  it: {
    asking: words('perché quando dove quale quali chi quanto cosa cos'),
    small: words(
      'come che io mio mia si il lo la gli le i un una uno è sono posso può c in nel nella di del della dei per con non e o al da faccio fare',
    ),
  },
  nl: {
    asking: words('hoe wat waarom wanneer waar welke wie'),
    small: words(
      'ik mijn we je kan de het een is zijn wordt worden met voor van naar in op niet en of er te dit dat moet uit bij maak maken',
    ),
  },
}

/**
 * Words of the other lists that English has too ("comment on a page", "price per user", "the man page", "it was deleted"): they count for
 * English as much as for the other language, so that they alone never decide between the two.
 */
export const ALSO_ENGLISH = words(
  'was die man den am im comment on son pour dove come con fare per met van hay os dos no me do as com an is of in we to',
)

/** Letters that only one of them writes. */
export const LETTERS: readonly (readonly [RegExp, LatinLanguage])[] = [
  [/[ñ¿¡]/, 'es'],
  [/[ãõ]/, 'pt'],
  [/[äöüß]/, 'de'],
  [/[œ]/, 'fr'],
]

/** Letters of further languages, which share some of the above (Turkish, Romanian, Polish, Vietnamese, Swedish and others). */
export const FURTHER_LETTERS = /[ğışășşțţěřůłąężśćńőűđơưåø\u1EA0-\u1EF9]/
