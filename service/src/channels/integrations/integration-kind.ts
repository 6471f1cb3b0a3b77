import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { IntegrationKindName, IntegrationRow } from './integrations-store.ts'

export type Credentials = Record<string, string>

/** The fields that all kinds are created with, and those that only some kinds have. */
export interface NewIntegration {
  name: string
  enabled: boolean
  config: Record<string, unknown>
  credentials?: Credentials | undefined
  platform?: string
  handles?: 'tickets' | 'chats'
  description?: string | null
  /** That everyone in the channel is answered from an internal base. */
  acknowledge_internal?: boolean | undefined
}

/** What differs between bots, help-desk integrations and agent apps. */
export interface IntegrationKind<Shown> {
  kind: IntegrationKindName
  /** In the refusal of an unknown id. */
  noun: string
  /** Throws if the base may not have this one: when it is added, and when a change connects it. */
  requireAllowedIn?(base: KnowledgeBaseRow, given: Pick<NewIntegration, 'acknowledge_internal'>): void
  /** Throws if these settings cannot be what its owner means. */
  requireValid?(config: Record<string, unknown>): void
  /** The record as the API shows it. */
  present(row: IntegrationRow, base: KnowledgeBaseRow): Shown
}
