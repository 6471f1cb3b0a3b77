import type { Requirement } from '../requirement.ts'

const spec = 'interface#source-source-group-document'

export const VERSIONS = {
  'versions.label': {
    says: 'A source may have a version label: free text, up to 64 printable characters.',
    spec,
    lives: 'contract/src/sources.ts',
  },
  'versions.with-every-excerpt': {
    says: 'The label goes to the model with every excerpt of its source.',
    spec,
    lives: 'service/src/answers/answering/model-prompts.ts',
  },
  'versions.relabel-at-once': {
    says: 'A changed label counts for the next question, with no sync.',
    spec,
    lives: 'service/src/content/sources/sources.ts',
  },
  'versions.scoped-surfaces': {
    says: 'With a source and a group for each version, a key of one group is answered from its version alone.',
    spec: 'interface#versioning',
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
} as const satisfies Record<string, Requirement>
