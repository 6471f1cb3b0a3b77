import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { WorkspaceModels } from '../../accounts/language-models/language-models.ts'

/** The language model that answers for a base, and where its questions go: the host is told of a workspace's own model only. */
export const modelsOfBases =
  ({ modelOf }: Pick<WorkspaceModels, 'modelOf'>) =>
  (base: KnowledgeBaseRow): { name: string; host: string | null } | undefined => {
    const model = modelOf(base.workspace_id, base)
    return model && { name: model.name, host: URL.parse(base.llm_base_url ?? '')?.host ?? null }
  }
