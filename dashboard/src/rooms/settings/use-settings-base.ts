import type { KnowledgeBase } from '@citewell/sdk/management'
import { useParams } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'

/** The base whose settings are open; the layout shows its parts only once it is read. */
export function useSettingsBase(): KnowledgeBase {
  const { baseId } = useParams({ from: '/kb/$baseId/settings' })
  const { data } = useKnowledgeBase(baseId)
  if (data === undefined) throw new Error('The settings are shown before their knowledge base.')
  return data
}
