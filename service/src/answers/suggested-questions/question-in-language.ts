import { isAskable, plainTitle } from './clean-title.ts'
import type { QuestionDraft } from './question-draft.ts'
import { questionOfHeading } from './question-of-heading.ts'
import type { Recase } from './recase.ts'

/** A sentence frame that any title fits into, whatever its gender and number. */
const FRAMES: Readonly<Record<string, (title: string) => string>> = {
  cs: (title) => `Co říká dokumentace o „${title}“?`,
  da: (title) => `Hvad siger dokumentationen om »${title}«?`,
  de: (title) => `Was steht in der Dokumentation über „${title}“?`,
  es: (title) => `¿Qué dice la documentación sobre «${title}»?`,
  fr: (title) => `Que dit la documentation sur « ${title} » ?`,
  it: (title) => `Che cosa dice la documentazione su «${title}»?`,
  ja: (title) => `「${title}」について何が書かれていますか？`,
  ko: (title) => `“${title}”에 대해 문서에는 무엇이 쓰여 있나요?`,
  nl: (title) => `Wat zegt de documentatie over ‘${title}’?`,
  pl: (title) => `Co mówi dokumentacja o „${title}”?`,
  pt: (title) => `O que diz a documentação sobre “${title}”?`,
  ru: (title) => `Что говорит документация о «${title}»?`,
  sv: (title) => `Vad säger dokumentationen om ”${title}”?`,
  tr: (title) => `Belgeler “${title}” hakkında ne diyor?`,
  uk: (title) => `Що каже документація про «${title}»?`,
  zh: (title) => `关于“${title}”，文档里是怎么说的？`,
}

/** Titles in these languages that name a section of a site. */
const SITE_SECTIONS =
  /^(?:inhalt|inhaltsverzeichnis|startseite|übersicht|impressum|datenschutz|glossar|änderungen|einleitung|accueil|sommaire|glossaire|mentions légales|introduction|inicio|índice|contenido|glosario|introducción|início|conteúdo|introdução|indice|sommario|glossario|introduzione|inhoud|inleiding|目次|索引|用語集|はじめに|概要|目录|首页|简介|概述|术语表|목차|소개|개요|содержание|введение|глоссарий|оглавление)$/iu

/** A question about a page that is not in English; `undefined` for a language without a frame. */
export function questionInLanguage(
  title: string,
  language: string,
  recase: Recase,
): QuestionDraft | undefined {
  const asIs = questionOfHeading(title, recase)
  if (asIs !== undefined) return asIs
  const plain = plainTitle(title)
  const frame = FRAMES[language.slice(0, 2).toLowerCase()]
  if (frame === undefined || SITE_SECTIONS.test(plain) || !isAskable(plain)) return undefined
  return { text: frame(plain), quality: 0.4 }
}
