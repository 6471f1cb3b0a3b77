/** Permissions of a member on one knowledge base beyond their role. */
export interface KnowledgeBaseGrantsTable {
  workspace_id: string
  knowledge_base_id: string
  user_id: string
  permissions: ('config' | 'chat')[]
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    knowledge_base_grants: KnowledgeBaseGrantsTable
  }
}
