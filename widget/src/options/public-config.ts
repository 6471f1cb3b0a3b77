import type { GivenOptions } from './given-options.ts'

/** The answer of widget-config, or of the saved-widget route, as it is on the wire. */
export interface PublicConfig {
  knowledge_base_id: string
  knowledge_base_name: string
  captcha_required: boolean
  captcha_site_key: string
  captcha_provider?: 'recaptcha' | 'hcaptcha' | 'turnstile' | 'altcha'
  hide_branding_allowed: boolean
  mcp_available: boolean
  mcp_url?: string
  mcp_oauth?: true
  /** Only of a saved widget. */
  config?: GivenOptions
}
