import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/source-groups/source-groups.ts'
const requestScope = 'service/src/channels/public-api/request-scope.ts'
const spec = 'interface#source-source-group-document'
const routes = 'open-items#2-management-api'

export const SOURCE_GROUPS = {
  'source-groups.record': {
    says: 'A group has an id, a name, which it needs, and a description, which it may have.',
    spec,
    lives: 'contract/src/source-groups.ts',
  },
  'source-groups.list': { says: 'GET lists the groups of a base.', spec: routes, lives },
  'source-groups.create': { says: 'POST makes a group: 201 with the record.', spec: routes, lives },
  'source-groups.change': { says: 'PATCH changes name or description.', spec: routes, lives },
  'source-groups.enterprise': {
    says: 'Making a group needs the plan Enterprise: else 403 PLAN_REQUIRED.',
    spec,
    lives,
  },
  'source-groups.delete': {
    says: 'Deleting a group leaves its sources, without a group.',
    spec,
    lives: 'service/src/content/source-groups/source-groups-store.ts',
  },
  'source-groups.deleted-opens-nothing': {
    says: 'A key that was limited to a deleted group sees nothing, and never everything.',
    spec: 'interface#authentication',
    lives: requestScope,
  },
  'source-groups.one-each': {
    says: 'A source is in one group of its own base at most.',
    spec,
    lives,
  },
  'source-groups.move-at-once': {
    says: 'A source that is moved is with its new group for the next question, with no sync.',
    spec,
    lives: 'service/src/content/sources/sources.ts',
  },
  'source-groups.keys-narrow': {
    says: "A request's group_ids narrow the groups of its key and never widen them; an empty list is the key's own; any other id is refused with 403.",
    spec: 'interface#authentication',
    lives: requestScope,
  },
} as const satisfies Record<string, Requirement>
