/** The sentences that the service itself writes into answers, without a model. */
export interface OwnSentences {
  notCovered: string
  /** Introduces the nearest passages to a question that is not covered. */
  nearest: string
  /** Introduces quotes, of one version of the documentation if the pages have one. */
  says(version: string | undefined): string
  /** Introduces the quotes of one of several pages. */
  from(title: string): string
  /** Follows a model's text that cites nothing. */
  unsupported: string
}

const english: OwnSentences = {
  notCovered: 'The documentation does not cover this question.',
  nearest: 'The nearest passages say, word for word:',
  says: (version) => `The documentation${version === undefined ? '' : ` of ${version}`} says, word for word:`,
  from: (title) => `From ${title}:`,
  unsupported: 'No page of the documentation was found that supports this answer.',
}

/** By language: those of the website widget. */
const OWN_SENTENCES = {
  en: english,
  de: {
    notCovered: 'Die Dokumentation behandelt diese Frage nicht.',
    nearest: 'Die nächstliegenden Stellen lauten wörtlich:',
    says: (version) =>
      `In der Dokumentation${version === undefined ? '' : ` von ${version}`} steht wörtlich:`,
    from: (title) => `Aus ${title}:`,
    unsupported: 'In der Dokumentation wurde keine Seite gefunden, die diese Antwort stützt.',
  },
  fr: {
    notCovered: 'La documentation ne traite pas cette question.',
    nearest: 'Les passages les plus proches disent, mot pour mot :',
    says: (version) => `La documentation${version === undefined ? '' : ` de ${version}`} dit, mot pour mot :`,
    from: (title) => `Extrait de ${title} :`,
    unsupported: 'Aucune page de la documentation n’a été trouvée à l’appui de cette réponse.',
  },
  es: {
    notCovered: 'La documentación no trata esta pregunta.',
    nearest: 'Los pasajes más cercanos dicen, literalmente:',
    says: (version) => `La documentación${version === undefined ? '' : ` de ${version}`} dice, literalmente:`,
    from: (title) => `De ${title}:`,
    unsupported: 'No se encontró ninguna página de la documentación que respalde esta respuesta.',
  },
  pt: {
    notCovered: 'A documentação não trata desta pergunta.',
    nearest: 'Os trechos mais próximos dizem, palavra por palavra:',
    says: (version) =>
      `A documentação${version === undefined ? '' : ` de ${version}`} diz, palavra por palavra:`,
    from: (title) => `De ${title}:`,
    unsupported: 'Nenhuma página da documentação que sustente esta resposta foi encontrada.',
  },
  it: {
    notCovered: 'La documentazione non tratta questa domanda.',
    nearest: 'I passaggi più vicini dicono, parola per parola:',
    says: (version) =>
      `La documentazione${version === undefined ? '' : ` di ${version}`} dice, parola per parola:`,
    from: (title) => `Da ${title}:`,
    unsupported: 'Non è stata trovata alcuna pagina della documentazione a sostegno di questa risposta.',
  },
  nl: {
    notCovered: 'De documentatie behandelt deze vraag niet.',
    nearest: 'De passages die er het dichtst bij komen, luiden woordelijk:',
    says: (version) =>
      `In de documentatie${version === undefined ? '' : ` van ${version}`} staat woordelijk:`,
    from: (title) => `Uit ${title}:`,
    unsupported: 'Er is geen pagina in de documentatie gevonden die dit antwoord ondersteunt.',
  },
  ja: {
    notCovered: 'ドキュメントにはこの質問についての記載がありません。',
    nearest: '最も近い箇所の原文は次のとおりです：',
    says: (version) => `${version === undefined ? '' : `${version} の`}ドキュメントの原文は次のとおりです：`,
    from: (title) => `${title} より：`,
    unsupported: 'この回答を裏付けるドキュメントのページは見つかりませんでした。',
  },
  ko: {
    notCovered: '문서에는 이 질문에 대한 내용이 없습니다.',
    nearest: '가장 가까운 구절의 원문은 다음과 같습니다:',
    says: (version) => `${version === undefined ? '' : `${version} `}문서의 원문은 다음과 같습니다:`,
    from: (title) => `${title}에서:`,
    unsupported: '이 답변을 뒷받침하는 문서 페이지를 찾지 못했습니다.',
  },
  zh: {
    notCovered: '文档没有涉及这个问题。',
    nearest: '最接近的段落原文如下：',
    says: (version) => `${version === undefined ? '' : `${version} 的`}文档原文如下：`,
    from: (title) => `摘自 ${title}：`,
    unsupported: '没有找到支持该回答的文档页面。',
  },
  ar: {
    notCovered: 'لا تتناول الوثائق هذا السؤال.',
    nearest: 'تقول أقرب الفقرات حرفيًا:',
    says: (version) => (version === undefined ? 'تقول الوثائق حرفيًا:' : `تقول وثائق ${version} حرفيًا:`),
    from: (title) => `من ${title}:`,
    unsupported: 'لم يُعثر في الوثائق على صفحة تدعم هذه الإجابة.',
  },
  he: {
    notCovered: 'התיעוד אינו עוסק בשאלה זו.',
    nearest: 'הקטעים הקרובים ביותר אומרים, מילה במילה:',
    says: (version) => `התיעוד${version === undefined ? '' : ` של ${version}`} אומר, מילה במילה:`,
    from: (title) => `מתוך ${title}:`,
    unsupported: 'לא נמצא בתיעוד דף שתומך בתשובה זו.',
  },
} as const satisfies Record<string, OwnSentences>

export type OwnLanguage = keyof typeof OWN_SENTENCES

export const OWN_LANGUAGES = Object.keys(OWN_SENTENCES) as OwnLanguage[]

export const ownSentences = (language: OwnLanguage): OwnSentences => OWN_SENTENCES[language]
