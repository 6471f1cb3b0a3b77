import type { KnowledgeBase } from '@citewell/sdk/management'
import { Link } from '@tanstack/react-router'
import { usePublicKeys } from '../../api/client-keys.ts'
import { Banner } from '../../ui/status.tsx'

/** Says that no page can load a widget, although it is enabled: the tag asks for the public key of the knowledge base, and there is none. */
export function NoKeyNotice({ base }: { base: KnowledgeBase | undefined }) {
  if (usePublicKeys(base)?.length !== 0 || base === undefined) return null
  return (
    <Banner tone="warn">
      No page can load a widget: this knowledge base has no live public client key. Make one under{' '}
      <Link to="/kb/$baseId/keys" params={{ baseId: base.id }}>
        Client keys
      </Link>
      .
    </Banner>
  )
}
