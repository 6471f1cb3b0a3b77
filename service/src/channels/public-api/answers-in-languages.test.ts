import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage, limits: { chatPerAddress: 0, chatPerKey: 0 } })
  base = await api.makeAskable([
    { title: 'Signing keys', text: 'Signing keys rotate every day at midnight.' },
    { title: 'Old signing keys', text: 'Old signing keys rotate out after two days.' },
  ])
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

async function answerTo(
  query: string,
  of: { id: string; key: string } = base,
  given: { headers?: Record<string, string>; thread?: unknown } = {},
): Promise<string> {
  const response = await api.send(`/public/knowledge-bases/${of.id}/chat`, {
    headers: { 'x-client-key': of.key, ...given.headers },
    body: { query, thread_id: given.thread },
  })
  return (await framesOf(response)).map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')
}

/** A question that the pages cover, one that they do not, and what the service says of each. */
const LANGUAGES: readonly [covered: string, says: string, from: string, other: string, notCovered: string][] =
  [
    [
      'How do signing keys rotate?',
      'The documentation says, word for word:',
      'From Signing keys:',
      'What does a bicycle cost?',
      'The documentation does not cover this question.',
    ],
    [
      'Wie rotieren die signing keys?',
      'In der Dokumentation steht wörtlich:',
      'Aus Signing keys:',
      'Was kostet ein Fahrrad?',
      'Die Dokumentation behandelt diese Frage nicht.',
    ],
    [
      'Comment les signing keys rotate ?',
      'La documentation dit, mot pour mot :',
      'Extrait de Signing keys :',
      'Combien coûte un vélo ?',
      'La documentation ne traite pas cette question.',
    ],
    [
      '¿Cómo rotate las signing keys?',
      'La documentación dice, literalmente:',
      'De Signing keys:',
      '¿Cuánto cuesta una bicicleta?',
      'La documentación no trata esta pregunta.',
    ],
    [
      'Quando as signing keys são rotate?',
      'A documentação diz, palavra por palavra:',
      'De Signing keys:',
      'Quanto custa uma bicicleta não usada?',
      'A documentação não trata desta pergunta.',
    ],
    [
      'Come si rotate le signing keys?',
      'La documentazione dice, parola per parola:',
      'Da Signing keys:',
      'Quanto costa la bicicletta di mia nonna?',
      'La documentazione non tratta questa domanda.',
    ],
    [
      'Hoe rotate ik signing keys?',
      'In de documentatie staat woordelijk:',
      'Uit Signing keys:',
      'Wat kost een fiets?',
      'De documentatie behandelt deze vraag niet.',
    ],
    [
      'signing keys の rotate 方法は？',
      'ドキュメントの原文は次のとおりです：',
      'Signing keys より：',
      '自転車はいくらですか？',
      'ドキュメントにはこの質問についての記載がありません。',
    ],
    [
      'signing keys rotate 방법은 무엇인가요?',
      '문서의 원문은 다음과 같습니다:',
      'Signing keys에서:',
      '자전거는 얼마인가요?',
      '문서에는 이 질문에 대한 내용이 없습니다.',
    ],
    [
      '如何让 signing keys 自动 rotate？',
      '文档原文如下：',
      '摘自 Signing keys：',
      '自行车多少钱？',
      '文档没有涉及这个问题。',
    ],
    [
      'كيف يتم rotate على signing keys؟',
      'تقول الوثائق حرفيًا:',
      'من Signing keys:',
      'كم سعر الدراجة؟',
      'لا تتناول الوثائق هذا السؤال.',
    ],
    [
      'איך עושים rotate ל signing keys?',
      'התיעוד אומר, מילה במילה:',
      'מתוך Signing keys:',
      'כמה עולים אופניים?',
      'התיעוד אינו עוסק בשאלה זו.',
    ],
  ]

verifies(
  'answer-style.own-words',
  'what the service itself says in an answer is in the language of the question, in all twelve',
  async () => {
    for (const [covered, says, from, other, notCovered] of LANGUAGES) {
      const answer = await answerTo(covered)
      expect([covered, answer.startsWith(`${says}\n\n`), answer]).toEqual([covered, true, answer])
      // Of one page the name is not said.
      if (answer.includes('two days'))
        expect(answer).toContain(`\n\n${from}\n\n> Signing keys rotate every day at midnight. [1]`)
      expect([other, await answerTo(other)]).toEqual([other, notCovered])
    }
  },
)

verifies(
  'answer-style.own-words',
  'a question that shows no language is answered in that of the reader, then of the base, then in English',
  async () => {
    const german = await api.makeAskable([], { base: { language: 'de' } })
    const ask = async (of: { id: string; key: string }, headers: Record<string, string>) => {
      const response = await api.send(`/public/knowledge-bases/${of.id}/form-deflect`, {
        headers: { 'x-client-key': of.key, accept: 'text/event-stream', ...headers },
        body: { body: 'ZX-81 ZX-82 ZX-83' },
      })
      return (await framesOf(response)).map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')
    }

    expect(await ask(base, { 'accept-language': '*' })).toBe(
      'The documentation does not cover this question.',
    )
    expect(await ask(german, { 'accept-language': '*' })).toBe(
      'Die Dokumentation behandelt diese Frage nicht.',
    )
    expect(await ask(german, { 'accept-language': 'fr-CH, fr;q=0.9, en;q=0.8' })).toBe(
      'La documentation ne traite pas cette question.',
    )
  },
)

const ENGLISH_READER = { headers: { 'accept-language': 'en-US,en;q=0.9' } }

verifies(
  'answer-style.told-by-words',
  'names, codes and one small word make no English question a foreign one',
  async () => {
    for (const query of [
      'error E12',
      'OS upgrade',
      'EU hosting',
      'USB C cable price',
      'comment syntax',
      'price per seat per month',
      'São Paulo region',
      'docs at acme.com.no',
    ])
      expect([query, await answerTo(query, base, ENGLISH_READER)]).toEqual([
        query,
        'The documentation does not cover this question.',
      ])
    expect(await answerTo('Preis für Nutzer des Angebots?', base, ENGLISH_READER)).toBe(
      'Die Dokumentation behandelt diese Frage nicht.',
    )
  },
)

verifies(
  'answer-style.told-by-words',
  'a follow-up that shows no language is answered in that of the conversation',
  async () => {
    const first = await api.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: { 'x-client-key': base.key },
      body: { query: 'Was kostet ein Fahrrad?' },
    })
    const thread = (await framesOf(first)).map(({ thread_id: id }) => id).findLast((id) => id !== undefined)
    expect(await answerTo('ZX-81 Preis?', base, { ...ENGLISH_READER, thread })).toBe(
      'Die Dokumentation behandelt diese Frage nicht.',
    )
  },
)

test('a question in another language is answered from English pages, unless a page in its own language answers', async () => {
  const english = { title: 'Files', text: 'To delete a file, open it and press Remove.' }
  const german = { title: 'Dateien', text: 'Eine Datei löschen Sie mit der Taste Entf.' }
  const [one, both] = [await api.makeAskable([english]), await api.makeAskable([english, german])]
  for (const query of [
    'Wie lösche ich eine Datei?',
    'Comment supprimer un fichier ?',
    '¿Cómo borro un archivo?',
    'ファイルを削除するには？',
    '如何删除文件？',
  ])
    expect([query, await answerTo(query, one)]).toEqual([
      query,
      expect.stringContaining('> To delete a file'),
    ])
  const answer = await answerTo('Kann ich eine Datei löschen?', both)
  expect(answer).toContain('> Eine Datei löschen Sie mit der Taste Entf.')
  expect(answer).not.toContain('To delete')
  expect(await answerTo('Wie lösche ich Warteschlangen bei Kafka?', one)).toMatch(
    /^Die Dokumentation behandelt/,
  )
})
