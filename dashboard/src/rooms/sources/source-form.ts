import type { NewSource, SourceConnection } from '@citewell/sdk/management'

/** A setting or a credential that a type of source is asked for. */
export interface SourceField {
  /** Its key in `config` or `credentials`. */
  name: string
  label: string
  /** For credentials: the exact place where it is found. */
  hint?: string
  placeholder?: string
  /** `lines`: several; `patterns`: those that include and exclude. */
  kind: 'url' | 'text' | 'lines' | 'patterns' | 'switch' | 'choice'
  /** Of a `choice`: value and label; the first one is chosen. */
  choices?: readonly (readonly [value: string, label: string])[]
  isRequired?: boolean
  /** Write-only: stored encrypted, and never shown again. */
  credential?: 'secret' | 'name'
  /** A setting that has no meaning with a connected account. */
  isForKey?: boolean
}

/** What was typed, by the names of the fields. */
export interface TypedSource {
  text: (name: string) => string
  lines: (name: string) => string[]
  isOn: (name: string) => boolean
}

type TypeAndConfig<Source = NewSource> = Source extends { type: string }
  ? Pick<Source, 'type' | ('config' & keyof Source)>
  : never

export interface SourceTypeForm {
  label: string
  fields: readonly SourceField[]
  /** Where the account is that it can be read with, instead of credentials. */
  connects?: SourceConnection['platform']
  /** The page of the guide that tells all of it. */
  guide: string
  /** What it is called if nobody names it, and it has no address. */
  name: string
  /** What is sent of the settings. */
  describe: (typed: TypedSource) => TypeAndConfig
}

export const address = (name: string, placeholder = 'https://docs.example.com/'): SourceField => ({
  name,
  label: 'Address',
  placeholder,
  kind: 'url',
  isRequired: true,
})

export const PATTERNS: readonly SourceField[] = [
  { name: 'include', label: 'Include only', hint: 'One pattern a line, such as /docs/**', kind: 'patterns' },
  { name: 'exclude', label: 'Exclude', hint: 'One pattern a line, such as /blog/**', kind: 'patterns' },
]

export const SHOW_NAMES: SourceField = {
  name: 'show_names',
  label: 'Show names',
  hint: 'Otherwise each message has the role of its writer only, such as Maintainer.',
  kind: 'switch',
}

export const ATTACHMENTS: SourceField = {
  name: 'attachments',
  label: 'Read attached files too',
  hint: 'PDF, Word, slides, tables, Markdown, HTML and text of up to 32 MiB, each as a document of its own.',
  kind: 'switch',
}

export const patternsOf = ({ lines }: TypedSource) => ({
  include: lines('include'),
  exclude: lines('exclude'),
})

/** Several short names in one field. */
export const keysIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((key) => key !== '')
