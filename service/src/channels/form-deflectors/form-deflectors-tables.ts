export interface FormDeflectorsTable {
  knowledge_base_id: string
  id: string
  name: string
  enabled: boolean
  min_characters: number
  min_confidence: number
  created_at: Date
  updated_at: Date
}

export interface DeflectionsTable {
  knowledge_base_id: string
  conversation_id: string
  form_deflector_id: string | null
  client_key_id: string
  answered: boolean
  confidence: number
  outcome: 'deflected' | 'submitted' | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    form_deflectors: FormDeflectorsTable
    deflections: DeflectionsTable
  }
}
