import type { Requirement } from '../requirement.ts'

const settings = 'service/src/app/settings.ts'
const spec = 'open-items#5-running-it'

export const RUNNING = {
  'running.port-host': {
    says: 'PORT and HOST: 3000 and 127.0.0.1.',
    spec,
    lives: settings,
  },
  'running.eval-dir': {
    says: 'CITEWELL_EVAL_DIR: where `npm run eval` finds its sets.',
    spec,
    lives: 'evals/run-evals.ts',
  },
  'running.data-dir': {
    says: 'CITEWELL_DATA_DIR: ./data, for the embedded storage.',
    spec,
    lives: settings,
  },
  'running.database-url': {
    says: 'DATABASE_URL: embedded storage where it is unset, PostgreSQL where it is set.',
    spec,
    lives: 'service/src/app/start-service.ts',
  },
  'running.public-url': {
    says: 'CITEWELL_PUBLIC_URL: http://HOST:PORT where it is unset.',
    spec,
    lives: settings,
  },
  'running.bootstrap-token': {
    says: 'CITEWELL_BOOTSTRAP_TOKEN: on empty storage one workspace and its owner are made, whose first token it is; it has 20 characters or more.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/workspaces/workspaces.ts',
  },
  'running.setup-link': {
    says: 'Where it is unset, a one-time set-up link is printed instead.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/workspaces/workspaces.ts',
  },
  'running.role': {
    says: 'CITEWELL_ROLE: all; api and worker split the service, on PostgreSQL only.',
    spec,
    lives: settings,
  },
  'running.language-model': {
    says: 'CITEWELL_LLM_BASE_URL, _API_KEY and _MODEL: quotes where they are unset, an OpenAI-compatible endpoint where they are set.',
    spec,
    lives: settings,
  },
  'running.embedding': {
    says: 'CITEWELL_EMBEDDING_BASE_URL, _API_KEY and _MODEL: the embedded model where they are unset.',
    spec,
    lives: settings,
  },
  'running.rate-limits': {
    says: 'CITEWELL_RATE_LIMITS: on; off counts nothing.',
    spec,
    lives: 'service/src/app/rate-limit-settings.ts',
  },
  'running.plan': {
    says: 'CITEWELL_PLAN: enterprise, the plan of the first workspace.',
    spec,
    lives: settings,
  },
  'running.private-network': {
    says: 'CITEWELL_ALLOW_PRIVATE_NETWORK: false; true, or a list of hosts and ranges, lets crawls and webhooks reach private addresses.',
    spec,
    lives: 'service/src/platform/outbound/outbound-policy.ts',
  },
  'running.local-paths': {
    says: 'CITEWELL_LOCAL_PATHS: nothing; folders, as full paths, that sources may read.',
    spec: 'security#1.5',
    lives: 'service/src/app/local-paths-settings.ts',
  },
  'running.named-folders': {
    says: 'A folder that is named on the command line may be read, then and at later starts of citewell up, and by none that serves others.',
    spec: 'security#1.5',
    lives: 'service/src/app/named-folders.ts',
  },
  'running.faults-together': {
    says: 'Settings that are not usable are told all at once, each by its name.',
    spec,
    lives: 'service/src/app/read-environment.ts',
  },
  'running.keep-free': {
    says: 'CITEWELL_KEEP_FREE_MB: below so much free space nothing is added (503 UNAVAILABLE, with the reason); reading, asking and deleting go on.',
    spec,
    lives: 'service/src/platform/files/free-space.ts',
  },
  'running.storage-comes-back': {
    says: 'A storage that ends or whose disk is full answers everybody with 503 UNAVAILABLE, and comes back by itself with everything that was acknowledged.',
    spec,
    lives: 'service/src/platform/storage/embedded/keep-engine-open.ts',
  },
  'running.healthz': {
    says: 'GET /healthz: the process is alive.',
    spec,
    lives: 'service/src/platform/health/health-routes.ts',
  },
  'running.readyz': {
    says: 'GET /readyz: storage, model and queue are up; 503 where one is down, with its name.',
    spec,
    lives: 'service/src/platform/health/readiness.ts',
  },
  'running.models-answer': {
    says: 'A language or embedding model that fails three times in a row is degraded until it answers once: in GET /readyz, the metrics, the log and, without its key, for owners; nothing that may repeat a question is kept.',
    spec,
    lives: 'service/src/platform/health/call-health.ts',
  },
  'running.embeddings-at-start': {
    says: 'An embeddings endpoint that does not answer at the start is asked again until it does, and then used; documents that have its vectors keep them meanwhile. What is stored without vectors of the model in use gets them in the background.',
    spec,
    lives: 'service/src/platform/embedding/embedder-in-use.ts',
  },
  'running.watchers': {
    says: 'Figures, and what is up or down, are told to programs on the same machine, or with a token that is set; others learn whether it is ready.',
    spec: 'open-items#5-running-it',
    lives: 'service/src/platform/health/is-monitoring-client.ts',
  },
  'running.metrics': {
    says: 'GET /metrics: figures in the form of Prometheus.',
    spec,
    lives: 'service/src/platform/health/metrics.ts',
  },
  'running.settings-everywhere': {
    says: 'A change of a setting on one process is seen by the others within a second; of permission or visibility at the next request.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/knowledge-bases/knowledge-bases-store.ts',
  },
  'running.clock': {
    says: 'Tokens expire by the clock, whichever way it jumps.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/access-tokens',
  },
  'running.one-clock': {
    says: 'Leases and due times go by the clock of the database: processes whose clocks differ take no work from each other, and delay none.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/platform/storage/database-clock.ts',
  },
  'running.durations': {
    says: 'Whichever way the clock jumps, nothing that measures time goes below zero.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/kernel/duration.ts',
  },
} as const satisfies Record<string, Requirement>
