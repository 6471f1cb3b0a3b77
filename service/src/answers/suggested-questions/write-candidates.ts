import { createRecase } from './recase.ts'
import { productName } from './product-name.ts'
import type { QuestionDraft } from './question-draft.ts'
import { questionInLanguage } from './question-in-language.ts'
import { questionOfHeading } from './question-of-heading.ts'
import { questionOfTitle, type TitleContext } from './question-of-title.ts'

/** The fields of a public page that matter for questions about it. */
export interface AskedDocument {
  documentId: string
  sourceId: string
  groupId: string | undefined
  title: string
  url: string
  language: string | undefined
  chunkCount: number
}

/** A question, and the pages that it was derived from: the same title in several versions gives one question. */
export interface Candidate {
  text: string
  /** 0 to about 1: how good a suggestion it is. */
  worth: number
  documents: AskedDocument[]
}

/** Texts of a base's pages. */
export interface BaseTexts {
  baseName: string
  /** Of the base; undefined: English, or several. */
  language: string | undefined
  documents: readonly AskedDocument[]
  /** Headings that end with a question mark. */
  headings: readonly { documentId: string; heading: string }[]
  /** A sample of text from the pages, to learn the case of words. */
  prose: string
}

/** Minimum quality of a question to be offered. */
const MIN_QUALITY = 0.3

/** All questions derived from titles and headings, before it is known whether they can be answered. */
export function writeCandidates({ baseName, language, documents, headings, prose }: BaseTexts): Candidate[] {
  const plain = stripCode(prose)
  const context: TitleContext = { recase: createRecase(plain), product: productName(baseName, plain) }
  const byId = new Map(documents.map((document) => [document.documentId, document]))
  const byText = new Map<string, Candidate>()

  function add(draft: QuestionDraft | undefined, document: AskedDocument | undefined) {
    if (draft === undefined || document === undefined || draft.quality < MIN_QUALITY) return
    const key = draft.text.toLowerCase()
    const known = byText.get(key)
    if (known === undefined) {
      byText.set(key, {
        text: draft.text,
        worth: draft.quality + prominence(document),
        documents: [document],
      })
    } else if (!known.documents.includes(document)) known.documents.push(document)
  }

  for (const document of documents) add(draftOf(document, language, context), document)
  for (const { documentId, heading } of headings)
    add(questionOfHeading(heading, context.recase), byId.get(documentId))
  return [...byText.values()].filter((candidate) => isDistinct(candidate.documents))
}

const isEnglish = (language: string) => /^en(?![a-z])/i.test(language)

/** The language of the base before a page's "English", which templates say of any page; a title alone seldom tells one. */
function languageOf({ title, language: own }: AskedDocument, ofBase: string | undefined): string {
  const [ofPage, ofAll] = [own, ofBase].map((each) =>
    each === undefined || isEnglish(each) ? undefined : each,
  )
  const isPlain = /^\p{ASCII}*$/u.test(title.replaceAll(/[‘’“”–—]/g, ''))
  return ofPage ?? ofAll ?? own ?? (isPlain ? 'en' : '')
}

function draftOf(
  document: AskedDocument,
  ofBase: string | undefined,
  context: TitleContext,
): QuestionDraft | undefined {
  const language = languageOf(document, ofBase)
  return isEnglish(language)
    ? questionOfTitle(document.title, context)
    : questionInLanguage(document.title, language, context.recase)
}

/** Two pages of one source with the same title: a question could not tell them apart. */
function isDistinct(documents: readonly AskedDocument[]): boolean {
  return new Set(documents.map((document) => document.sourceId)).size === documents.length
}

/** Newcomers first ask about pages near the root and about long pages. -0.1 to 0.1. */
function prominence({ url, chunkCount }: AskedDocument): number {
  const depth = (URL.parse(url)?.pathname ?? url).split('/').filter((part) => part !== '').length
  return Math.min(chunkCount, 12) / 120 - Math.min(depth, 5) / 50
}

/** Removes code fences, inline code and addresses: the case of words in them means nothing. */
function stripCode(text: string): string {
  return text
    .replaceAll(/^(```|~~~)[^]*?^\1/gm, '\n')
    .replaceAll(/`[^`\n]+`/g, '`')
    .replaceAll(/\]\([^)\s]*\)?|https?:\S+/g, (found) => {
      const isUnclosed = found.startsWith('](') && !found.endsWith(')')
      return isUnclosed ? found.replace(/https?:\S+/, ' ') : ' '
    })
}
