/**
 * The launcher's words in each language, before any dictionary is fetched: what it does, and what a press does after a failure.
 *
 * @param language - a language tag; of an unknown language the words are English
 */
export function labelsOf(language: string): [ask: string, again: string] {
  return ('de:Fragen:Nochmal,fr:Demander:Réessayer,es:Preguntar:Reintentar,pt:Perguntar:Repetir,it:Chiedi:Riprova,nl:Vragen:Opnieuw,ja:質問する:再試行,ko:질문하기:재시도,zh:提问:重试,ar:اسأل:أعد,he:שאלו:שוב'
    .split(',')
    .find((one) => one.startsWith(language.slice(0, 2).toLowerCase()))
    ?.split(':')
    .slice(1) ?? ['Ask', 'Try again']) as [string, string]
}
