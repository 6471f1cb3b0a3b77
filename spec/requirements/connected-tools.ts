import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/oauth/connected-tools.ts'
const spec = 'security#11-mcp-serveras-requirements--checklist'
const row = (says: string, file = lives) => ({ says, spec, lives: file }) as const satisfies Requirement

export const CONNECTED_TOOLS = {
  'connected-tools.list': row(
    'A member sees the tools that they have connected, on a page and by the management API, and nobody sees those of others.',
  ),
  'connected-tools.revoke': row(
    'A tool that is disconnected is refused at its next request, and its refresh token gives no new one.',
  ),
  'connected-tools.choose-again': row(
    'A member changes which bases a tool at the portal may read, from its next request on.',
  ),
  'connected-tools.own-form': row(
    'A form of these pages, or of a consent, counts only from the page that this session was shown.',
    'service/src/channels/sign-in/csrf.ts',
  ),
  'connected-tools.asked-each-time': row(
    'A member is asked for consent at each connection, whatever the browser was asked before, and not without being signed in.',
    'service/src/channels/oauth/connect-member.ts',
  ),
  'connected-tools.last-used': row(
    'The last use of a tool is written at most once a minute.',
    'service/src/platform/storage/last-use.ts',
  ),
  'connected-tools.in-the-activity-log': row(
    'The activity log of a member’s workspaces tells which tools they connected, chose again what it reads, and disconnected, and whether by a token.',
  ),
  'connected-tools.web-clients': {
    says: 'A tool that is a website is refused at the portal unless its very host is allowed.',
    spec: 'security#114-traps-inside-our-own-spec',
    lives: 'service/src/channels/oauth/web-clients.ts',
  },
} as const satisfies Record<string, Requirement>
