import type { SURFACES } from '@citewell/contract/closed-lists'

/** What people call a surface. */
export const SURFACE_NAMES: Record<(typeof SURFACES)[number], string> = {
  api: 'API',
  widget: 'Widget',
  openai: 'OpenAI format',
  form_deflector: 'Form',
  bot: 'Bot',
  helpdesk: 'Help desk',
  mcp: 'AI tool',
  team: 'Team',
}

export const surfaceName = (surface: string): string =>
  Object.hasOwn(SURFACE_NAMES, surface) ? SURFACE_NAMES[surface as keyof typeof SURFACE_NAMES] : surface

const SOURCE_TYPE_NAMES: Record<string, string> = {
  github: 'GitHub',
  mail_archive: 'Mailing list',
  mediawiki: 'MediaWiki',
  gitlab: 'GitLab',
  intercom: 'Intercom',
  freshdesk_solutions: 'Freshdesk',
  help_scout_docs: 'Help Scout Docs',
  s3: 'S3',
  google_drive: 'Google Drive',
  sharepoint: 'SharePoint',
  slack_channels: 'Slack channels',
  website: 'Website',
  sitemap: 'Sitemap',
  repository: 'Repository',
  files: 'Files',
  openapi: 'OpenAPI',
  notion: 'Notion',
  zendesk_help_center: 'Zendesk',
  push: 'Pushed by a program',
  custom_answers: 'Custom answers',
}

/** Words of codes that are abbreviations. */
const ABBREVIATIONS = /\b(?:mcp|llm|pii|api)\b/g

/** A code of the API in words, where no better name is known: `password_set` is `Password set`. */
export function wordsOfCode(code: string): string {
  const words = code
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What people call a type of source. */
export const sourceTypeName = (type: string): string => SOURCE_TYPE_NAMES[type] ?? wordsOfCode(type)
