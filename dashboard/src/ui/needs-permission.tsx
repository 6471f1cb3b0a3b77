import type { KnowledgeBase } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { Empty } from './page.tsx'
import { useWhoCan } from './who-can.ts'

const WORDS = {
  chat: 'the permission Chat',
  config: 'the permission Config',
  'edit-config': 'to be an owner or admin of the workspace',
}

/** What needs a permission on the base, or who can give it. */
export function NeedsPermission({
  base,
  permission,
  children,
}: {
  base: KnowledgeBase | undefined
  permission: keyof typeof WORDS
  children: ReactNode
}) {
  const who = useWhoCan()
  if (base === undefined) return null
  if (base.your_permissions.includes(permission)) return children
  return (
    <Empty
      says={`This needs ${WORDS[permission]} on “${base.name}”. ${who.replace('do this', 'give it to you')}`}
    />
  )
}
