import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/mcp-feedback/mcp-feedback.ts'
const store = 'service/src/answers/mcp-feedback/mcp-feedback-store.ts'
const spec = 'interface#mcp-servers'

export const REPORTS = {
  'reports.kept': {
    says: 'What an AI tool reports is masked as the base says, kept, listed for holders of Config, and counted in the analytics with the page that it names.',
    spec,
    lives,
  },
  'reports.filters': {
    says: 'Reports are listed the last first, and filtered by time, server, person and text.',
    spec,
    lives: store,
  },
  'reports.withheld': {
    says: 'What was reported from a server that reads restricted pages is withheld from people who may not chat.',
    spec,
    lives,
  },
  'reports.deleted': { says: 'A report can be deleted, and goes with its base.', spec, lives },
  'reports.forgotten': {
    says: 'Reports are forgotten by the rules of conversations: after the period that is kept, and by a purge.',
    spec,
    lives: 'service/src/answers/retention/retention.ts',
  },
  'reports.zero-retention': {
    says: 'Under zero data retention nothing that is reported is kept, and the tool says so.',
    spec,
    lives: store,
  },
} as const satisfies Record<string, Requirement>
