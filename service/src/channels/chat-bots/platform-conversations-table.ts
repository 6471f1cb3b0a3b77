export interface PlatformConversationsTable {
  knowledge_base_id: string
  integration_id: string
  conversation: string
  thread_id: string
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    platform_conversations: PlatformConversationsTable
  }
}
