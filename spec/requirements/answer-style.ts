import type { Requirement } from '../requirement.ts'

const prompts = 'service/src/answers/answering/model-prompts.ts'
const knowledgeBaseFields = 'contract/src/knowledge-bases.ts'

export const ANSWER_STYLE = {
  'answer-style.persona': {
    says: 'The persona of a knowledge base reaches the model.',
    spec: 'interface#knowledge-base',
    lives: prompts,
  },
  'answer-style.tone': {
    says: 'The tone of a knowledge base reaches the model.',
    spec: 'interface#knowledge-base',
    lives: prompts,
  },
  'answer-style.standing-instructions': {
    says: 'The standing instructions of a knowledge base reach the model.',
    spec: 'interface#knowledge-base',
    lives: prompts,
  },
  'answer-style.changed-at-once': {
    says: 'A change of the answer style counts for the very next question.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/answering/create-question.ts',
  },
  'answer-style.rules-stand': {
    says: 'Whatever the owner wishes, the rules of grounding and citing are sent first, and an answer without support is not taken for the documentation.',
    spec: 'security#114-traps-inside-our-own-spec',
    lives: prompts,
  },
  'answer-style.widget-voice': {
    says: 'A request with a widget_id is answered in the voice of that widget, in what it says of its own, and in that of the base otherwise.',
    spec: 'interface#chat-request-body',
    lives: 'service/src/channels/public-api/widget-gate.ts',
  },
  'answer-style.lengths': {
    says: 'A persona of more than 2,000 characters, a tone of more than 1,000 and instructions of more than 8,000 are refused with 400 and the name of the field.',
    spec: 'interface#knowledge-base',
    lives: knowledgeBaseFields,
  },
  'answer-style.quotes-as-they-are': {
    says: 'Without a language model answers quote the pages word for word, and the answer style changes nothing about them.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/answering/steps/quote-evidence.ts',
  },
  'answer-style.starter-questions': {
    says: 'A ninth starter question, or one of 201 characters, is refused with 400 and the name of the field; eight of 200 are shown in their order.',
    spec: 'interface#suggested-questions',
    lives: knowledgeBaseFields,
  },
  'answer-style.version-label': {
    says: 'The version label of a source reaches the model with every excerpt of that source.',
    spec: 'interface#source-source-group-document',
    lives: prompts,
  },
  'answer-style.own-words': {
    says: 'What the service itself writes into an answer is in the language of the question, in twelve languages.',
    spec: 'interface#widget',
    lives: 'service/src/answers/answering/own-sentences.ts',
  },
  'answer-style.told-by-words': {
    says: 'The language of a question is certain from a word that asks, a special letter or two small words; below that the conversation, Accept-Language and the knowledge base decide.',
    spec: 'interface#widget',
    lives: 'service/src/answers/answering/question-language.ts',
  },
} as const satisfies Record<string, Requirement>
