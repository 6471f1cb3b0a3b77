/** The launcher's label in each language, before any dictionary is fetched. */
const LABELS =
  'de:Fragen,fr:Demander,es:Preguntar,pt:Perguntar,it:Chiedi,nl:Vragen,ja:質問する,ko:질문하기,zh:提问,ar:اسأل,he:שאלו'

/** @param language - a language tag; of an unknown language the label is English */
export function labelOf(language: string): string {
  const [, label = 'Ask'] = new RegExp(`\\b${language.slice(0, 2).toLowerCase()}:([^,]+)`).exec(LABELS) ?? []
  return label
}
