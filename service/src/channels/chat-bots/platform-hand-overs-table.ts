export interface PlatformHandOversTable {
  knowledge_base_id: string
  integration_id: string
  conversation: string
  target: string
  created_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    platform_hand_overs: PlatformHandOversTable
  }
}
