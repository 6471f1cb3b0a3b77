import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/simulations/simulations.ts'
const running = 'service/src/channels/simulations/run-simulation.ts'

export const SIMULATIONS = {
  'simulations.records': {
    says: 'Simulations are started, listed, read and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'simulations.run': {
    says: 'A simulation runs past tickets through the real answering, and keeps what would have become of each.',
    spec: 'interface#events',
    lives: running,
  },
  'simulations.no-conversations': {
    says: 'A simulation leaves no conversations, and tells no webhook of any.',
    spec: 'interface#events',
    lives: 'service/src/app/compose-answers.ts',
  },
  'simulations.cancel': {
    says: 'A running simulation can be cancelled; what was found stays.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/platform/storage/leased-runs.ts',
  },
  'simulations.crash': {
    says: 'A simulation whose process died is gone on with, and ends once.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/platform/storage/leased-runs.ts',
  },
  'simulations.take-turns': {
    says: 'Simulations and evaluations of several workspaces run beside each other: two of a workspace at a time, and each goes on for a minute before it makes room for a workspace that has none.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/answers/fair-runs/fair-runs.ts',
  },
  'simulations.zero-retention': {
    says: 'Under zero data retention a simulation is refused, since it keeps answers.',
    spec: 'interface#thread-and-message',
    lives,
  },
  'simulations.report': {
    says: 'The report of a simulation counts what would have been answered, with the interval that so many tickets allow, and keeps in the number of all tickets what was left out. Below 50 tickets it tells no rate, and as solved it counts only what people found right.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/simulations/report/make-report.ts',
  },
  'simulations.own-documents': {
    says: 'A document that was made from a ticket does not answer that ticket in its own simulation, and the report says so.',
    spec: 'open-items#2-management-api',
    lives: running,
  },
  'simulations.masked': {
    says: 'Past tickets are stored masked where the knowledge base masks personal data.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>
