/** What a page hears of. No event carries the text of a question or an answer. */
export interface WidgetEvents {
  ready: { knowledge_base_id: string }
  open: { tab: Tab; source: string }
  close: Record<string, never>
  tab: { tab: Tab }
  ask: { source: string }
  first: { ms: number }
  answer: { message_id: string | undefined; covered: boolean; ms: number }
  stop: Record<string, never>
  copy: { message_id: string | undefined }
  code_copy: { message_id: string | undefined }
  citation: { message_id: string | undefined; url: string }
  search: { count: number }
  search_open: { url: string }
  rate: { message_id: string; rating: 'up' | 'down' | 'none' }
  handoff: { to: 'page' | 'email' }
  mcp_copy: { tool: string }
  reset: Record<string, never>
  error: { code: string; retryable: boolean; request_id?: string | undefined }
}

export type Tab = 'ask' | 'search'

export type Emit = <Type extends keyof WidgetEvents>(type: Type, detail: WidgetEvents[Type]) => void
