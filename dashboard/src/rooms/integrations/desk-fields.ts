import type { PlatformField } from './platform-field.ts'

/** What every help desk that the service drives itself is asked for. */
export const deskFields = (
  handOver: string,
  { hasDrafts } = { hasDrafts: true },
): readonly PlatformField[] => [
  {
    name: 'mode',
    label: 'What it does',
    choices: [
      ['answer', 'Customers get the answers'],
      ...(hasDrafts
        ? [['draft', 'Your team gets them, as internal notes, or as drafts of mails'] as const]
        : []),
      ['observe', 'Nothing is posted: only to be read under Conversations'],
    ],
    isSecret: false,
  },
  {
    name: 'quiet_seconds',
    label: 'Quiet time in seconds',
    hint: 'How long a customer has to be quiet before the answer. Empty: 30 for tickets, 3 for chats.',
    isSecret: false,
  },
  { name: 'hand_over_to', label: 'Who takes over', hint: handOver, isSecret: false },
]
