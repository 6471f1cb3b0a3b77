const words = (text: string) => text.split(' ')

/**
 * Abbreviations after which a sentence goes on, by language, without their last full stop. They count whatever the language of a text:
 * pages name people and works of other languages, and two sentences that stay together are quoted as they are.
 */
const BY_LANGUAGE = {
  en: words(
    'etc cf vs approx resp incl excl esp fig figs sec eq ref vol vols ed eds al mr mrs dr prof st jr sr dept est viz min max',
  ),
  de: words(
    'bzw ca vgl evtl ggf ggfs inkl exkl zzgl abzgl usw usf bspw sog gem lt abb abs bd tab kap nr hr fr str tel mio mrd std sek tsd tgl bes allg ' +
      'ehem entspr geb mind rd dgl aufl hrsg jh röm verf erg ges insb einschl ausschl betr ggü gegr',
  ),
  fr: words('env ex mme mlle chap éd av apr bd boul tél janv févr avr juil sept déc réf suiv'),
  es: words('ej pág págs sra srta dra ud uds núm aprox cap avda dpto admón ref ss'),
  pt: words('ex pág págs sra dra núm aprox cap obs av ref'),
  it: words('ecc es pag pagg sig sigg sigra dott ing avv cap rif'),
  nl: words('bijv bv enz evt nrs blz dhr mevr afb hfst zgn vb vnl'),
  sv: words('osv dvs kl bl ex'),
  da: words('fx mfl eks osv dvs'),
  pl: words('np tj itd itp ul godz zob wg'),
  cs: words('např tj atd apod tzv'),
  ru: words('рис см стр напр др'),
}

const ABBREVIATIONS = new Set(Object.values(BY_LANGUAGE).flat())

/** Abbreviations that are words, too: they are one only before a number ("no. 5"). */
const BEFORE_NUMBERS = new Set(words('no nos art ch pp par'))

/** `U.S.`, `z.B.`, `d.h.`, `p.ej.`, `z.Zt.`; and one letter alone, an initial. */
const DOTTED = /(?:^|[^\p{L}\p{N}])(?:\p{L}{1,2}\.){1,6}\p{L}{1,3}\.$/u
const INITIAL = /(?:^|[^\p{L}\p{N}'’])\p{L}\.$/u

/** The day of a date, or what is counted, in languages that write "3. Oktober" and "im 19. Jahrhundert". */
const ORDINAL =
  /(?:^|\s)(?:am|im|vom|zum|zur|bis|ab|seit|der|den|dem|des|die|das|beim|jeder|jeden|jedes)\s\d{1,3}\.$/iu
const DAY = /(?:^|[^\p{L}\p{N}.])\d{1,2}\.$/u
const MONTH =
  /^(?:jan|jän|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|quartal|jahrhundert|jh|kapitel|auflage|stock\b|klasse\b)/iu
/** A number at the beginning of a line counts what follows: "1. Stop the service." */
const COUNTS = /^[\s"'“„(*_]*\(?(?:\d{1,3}\.){1,4}$/u

/** A word with its full stop at the end of a text. */
const LAST_WORD = /(?<![\p{L}\p{N}])(\p{L}{1,12})\.$/u

/**
 * Whether the full stop at the end of `before` is that of an abbreviation or of a number that belongs to what follows.
 *
 * @param before - a sentence so far, or its last 40 characters
 */
export function isAbbreviated(before: string, next: string): boolean {
  if ([DOTTED, INITIAL, COUNTS, ORDINAL].some((pattern) => pattern.test(before))) return true
  if (DAY.test(before) && MONTH.test(next)) return true
  const word = LAST_WORD.exec(before)?.[1]?.toLowerCase()
  if (word === undefined) return false
  return ABBREVIATIONS.has(word) || (BEFORE_NUMBERS.has(word) && /^\p{N}/u.test(next))
}
