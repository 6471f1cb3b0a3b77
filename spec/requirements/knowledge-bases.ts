import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/knowledge-bases/knowledge-bases.ts'
const schema = 'contract/src/knowledge-bases.ts'
const merging = 'service/src/accounts/knowledge-bases/knowledge-base-fields.ts'
const answers = 'service/src/accounts/knowledge-bases/knowledge-bases-routes.ts'
const keys = 'service/src/accounts/client-keys/client-keys.ts'
const fields = 'interface#knowledge-base'
const states = 'interface#knowledge-base-1'
const routes = 'open-items#2-management-api'

export const KNOWLEDGE_BASES = {
  'knowledge-bases.name': {
    says: 'A base needs a name of 2 to 100 characters.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.description': { says: 'A description may be given.', spec: fields, lives: schema },
  'knowledge-bases.type': {
    says: 'A base is external unless internal is asked for, and can be changed to the other.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.language-found': {
    says: 'The language of a base that nobody chose is found out from its pages, where they are clearly in one: what they declare, else the words of their text. It is shown as the language of the base.',
    spec: fields,
    lives: 'service/src/content/indexing/language-of-pages.ts',
  },
  'knowledge-bases.language-chosen': {
    says: 'A language that was chosen is never changed by what the pages say; null has it found out.',
    spec: fields,
    lives: 'service/src/accounts/knowledge-bases/found-language-store.ts',
  },
  'knowledge-bases.robots': {
    says: 'Crawls obey robots.txt unless it is switched off.',
    spec: fields,
    lives: 'service/src/content/connectors/website/web-reader.ts',
  },
  'knowledge-bases.settings': {
    says: 'The settings hold mcp_documents_enabled, which is off at first.',
    spec: fields,
    lives: merging,
  },
  'knowledge-bases.starter-questions': {
    says: 'Starter questions are generated at first; an own list has at most 8, each of at most 200 characters; none is a choice too.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.scheduled-crawling': {
    says: 'Scheduled crawling is hourly, daily, weekly or monthly, or not at all.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.answer-style': {
    says: 'Persona, tone and standing instructions are texts of the base.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.pii-masking': {
    says: 'PII masking has what to mask, own patterns and an allow-list.',
    spec: fields,
    lives: 'contract/src/pii-masking.ts',
  },
  'knowledge-bases.members-switch': {
    says: 'The switch for the members of the workspace is a field of the base.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.record': {
    says: 'The record has every field, the count of its documents, its workspace, its status and its times.',
    spec: 'open-items#records',
    lives: 'service/src/accounts/knowledge-bases/present-knowledge-base.ts',
  },
  'knowledge-bases.all-changeable': {
    says: 'Every field can be changed after creation.',
    spec: fields,
    lives: schema,
  },
  'knowledge-bases.patch-merges': {
    says: 'PATCH keeps what it does not name, also within settings.',
    spec: 'interface#management-api',
    lives: merging,
  },
  'knowledge-bases.comes-with': {
    says: 'An external base comes with a widget named after it and a public client key, both in the answer; an internal one with neither.',
    spec: fields,
    lives: answers,
  },
  'knowledge-bases.workspace-optional': {
    says: 'Who is in one workspace only need not name it.',
    spec: routes,
    lives,
  },
  'knowledge-bases.list': { says: 'GET lists the bases of the caller.', spec: routes, lives },
  'knowledge-bases.create': { says: 'POST makes a base: 201 with the record.', spec: routes, lives },
  'knowledge-bases.read': { says: 'GET reads one base.', spec: routes, lives },
  'knowledge-bases.change': { says: 'PATCH answers with the full record.', spec: routes, lives: answers },
  'knowledge-bases.archived-not-counted': {
    says: "An archived base does not count toward the plan's limit; restored it counts again.",
    spec: states,
    lives,
  },
  'knowledge-bases.archive': {
    says: 'Archiving makes an active base archived; a second time is a conflict.',
    spec: states,
    lives,
  },
  'knowledge-bases.archived-answers-nothing': {
    says: 'An archived base answers nothing on any public surface: 403 KNOWLEDGE_BASE_ARCHIVED.',
    spec: states,
    lives: 'service/src/channels/public-api/open-asked-base.ts',
  },
  'knowledge-bases.archived-syncs-nothing': {
    says: 'An archived base runs no syncs: those under way are cancelled, schedules rest, and none can be started.',
    spec: states,
    lives: 'service/src/content/syncs/syncs-store.ts',
  },
  'knowledge-bases.archived-read-only': {
    says: 'Settings of an archived base can be read, not changed; nor anything that it holds.',
    spec: states,
    lives,
  },
  'knowledge-bases.archived-leaves-assistant': {
    says: 'An archived base leaves the Ask assistant.',
    spec: states,
    lives: 'service/src/accounts/grants/member-bases-store.ts',
  },
  'knowledge-bases.restore': { says: 'Restoring makes an archived base active.', spec: states, lives },
  'knowledge-bases.needs-edit-config': {
    says: 'Archive, restore, delete, type and the switch for members need Edit Config.',
    spec: 'interface#management-api',
    lives,
  },
  'knowledge-bases.preview': {
    says: 'The preview of a deletion has the id, the name, whether a confirmation is needed, and a count for everything that goes along.',
    spec: routes,
    lives,
  },
  'knowledge-bases.confirmation': {
    says: 'A base that holds anything is deleted with its exact name only: else 409 CONFIRMATION_REQUIRED.',
    spec: states,
    lives,
  },
  'knowledge-bases.delete-answer': {
    says: 'A deletion answers 200 with deleted, the id and the counts.',
    spec: routes,
    lives: answers,
  },
  'knowledge-bases.delete-takes-all': {
    says: 'A deletion takes everything of the base along, for good, also of an archived one.',
    spec: states,
    lives,
  },
  'knowledge-bases.delete-at-once': {
    says: 'The keys of a deleted base, and every public surface of it, stop answering at once.',
    spec: states,
    lives,
  },
  'knowledge-bases.delete-while-indexing': {
    says: 'A base that is deleted while it is indexed leaves nothing behind.',
    spec: states,
    lives: 'service/src/content/indexing/index-partitions-store.ts',
  },
  'knowledge-bases.internal-keys': {
    says: 'A base that turns internal ends its live client keys with the change, and they stay ended.',
    spec: states,
    lives: keys,
  },
  'knowledge-bases.external-again': {
    says: 'A base that turns external and has no live client key or no widget gets them as at creation, in the answer.',
    spec: states,
    lives: keys,
  },
  'knowledge-bases.internal-surfaces': {
    says: 'Every public surface refuses an internal base: 403 KNOWLEDGE_BASE_INTERNAL.',
    spec: states,
    lives: keys,
  },
  'knowledge-bases.type-confirmed': {
    says: 'The dashboard asks before a base turns internal.',
    spec: states,
    lives: 'dashboard/src/rooms/settings/change-type.tsx',
  },
  'knowledge-bases.type-preview': {
    says: 'Before a base turns internal, who may do it sees by name what stops, which bots go on answering everyone, and which documents become restricted.',
    spec: states,
    lives,
  },
  'knowledge-bases.streams-end': {
    says: 'Answers under way of a base that is deleted, archived or turned internal, and of a revoked key, end within a second.',
    spec: 'security#114-traps-inside-our-own-spec',
    lives: 'service/src/answers/in-flight-answers/in-flight-answers.ts',
  },
} as const satisfies Record<string, Requirement>
