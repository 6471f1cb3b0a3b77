import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { Switch, TextArea } from '../../ui/field.tsx'
import { linesOf } from '../../ui/form-values.ts'
import { SettingsForm } from './settings-form.tsx'
import { TryMasking } from './try-masking.tsx'
import { useSettingsBase } from './use-settings-base.ts'

type Kind = KnowledgeBase['pii_masking']['mask'][number]

const KINDS: readonly (readonly [kind: Kind, label: string, hint?: string])[] = [
  ['email', 'E-mail addresses'],
  ['phone', 'Telephone numbers'],
  ['credit_card', 'Card numbers'],
  ['iban', 'Bank accounts (IBAN)'],
  ['ip_address', 'IP addresses'],
  ['national_id', 'National ids', 'Of the USA, the United Kingdom, Spain, France, Italy and Brazil.'],
  ['secret', 'Keys and tokens', 'In their well-known formats.'],
]

const changeOf = (form: FormData): KnowledgeBaseChange => ({
  pii_masking: {
    mask: KINDS.map(([kind]) => kind).filter((kind) => form.get(`mask-${kind}`) === 'on'),
    custom_patterns: linesOf(form, 'custom_patterns'),
    allow_list: linesOf(form, 'allow_list'),
  },
})

/** What of a reader's text is masked before anything else happens to it. */
export function PrivacyPage() {
  const base = useSettingsBase()
  const { mask, custom_patterns: patterns, allow_list: allowed } = base.pii_masking
  return (
    <>
      <SettingsForm base={base} title="PII masking" changeOf={changeOf}>
        <p>
          What is found in a question is masked before it is searched, sent to a model, stored or logged. It
          cannot be brought back.
        </p>
        <fieldset>
          <legend>What to mask</legend>
          {KINDS.map(([kind, label, hint]) => (
            <Switch
              key={kind}
              name={`mask-${kind}`}
              label={label}
              {...(hint !== undefined && { hint })}
              defaultChecked={mask.includes(kind)}
            />
          ))}
        </fieldset>
        <TextArea
          label="Custom patterns"
          name="custom_patterns"
          faultsAt="pii_masking.custom_patterns"
          defaultValue={patterns.join('\n')}
          hint="Regular expressions in RE2 syntax, one per line: at most 50, each of at most 200 characters. What matches becomes [masked]."
        />
        <TextArea
          label="Allow-list"
          name="allow_list"
          faultsAt="pii_masking.allow_list"
          defaultValue={allowed.join('\n')}
          hint="What is never masked, one per line, at most 100: a text, or a pattern between slashes that matches all of it."
        />
      </SettingsForm>
      <TryMasking base={base} readMasking={changeOf} />
    </>
  )
}
