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
    ],
  },
  { name: 'Manage', links: [['/kb/$baseId/settings', 'Settings']] },
] as const
