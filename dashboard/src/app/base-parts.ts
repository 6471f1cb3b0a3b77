/** The screens of a knowledge base, as its navigation lists them. */
export const PARTS = [
  {
    name: undefined,
    links: [
      ['/kb/$baseId', 'Overview'],
      ['/kb/$baseId/ask', 'Playground'],
    ],
  },
  {
    name: 'Content',
    links: [
      ['/kb/$baseId/sources', 'Sources'],
      ['/kb/$baseId/groups', 'Source groups'],
      ['/kb/$baseId/documents', 'Documents'],
      ['/kb/$baseId/answers', 'Custom answers'],
    ],
  },
  {
    name: 'Insight',
    links: [
      ['/kb/$baseId/analytics', 'Analytics'],
      ['/kb/$baseId/gaps', 'Knowledge gaps'],
      ['/kb/$baseId/conversations', 'Conversations'],
      ['/kb/$baseId/traces', 'Traces and reports'],
      ['/kb/$baseId/feedback', 'Feedback'],
      ['/kb/$baseId/evaluation', 'Evaluation'],
    ],
  },
  {
    name: 'Reach',
    links: [
      ['/kb/$baseId/widgets', 'Widgets'],
      ['/kb/$baseId/keys', 'Client keys'],
      ['/kb/$baseId/mcp', 'MCP servers'],
      ['/kb/$baseId/forms', 'Form deflectors'],
      ['/kb/$baseId/bots', 'Bots'],
      ['/kb/$baseId/helpdesks', 'Help desks'],
      ['/kb/$baseId/agent-apps', 'Agent apps'],
      ['/kb/$baseId/approvals', 'Approvals'],
      ['/kb/$baseId/simulations', 'Simulations'],
    ],
  },
  { name: 'Manage', links: [['/kb/$baseId/settings', 'Settings']] },
] as const
