import { Select, TextInput } from '../../ui/field.tsx'
import { VisibilitySelect } from '../../ui/visibility-select.tsx'
import classes from './new-source-page.module.css'
import { REFRESHES } from './source-of-form.ts'

/** What a new source is called, which version it is of, who sees it, and how often it is read. */
export function SourceOptions({
  nameHint,
  isInternal,
  isRefreshed = true,
}: {
  nameHint: string
  isInternal: boolean
  isRefreshed?: boolean
}) {
  return (
    <>
      <TextInput label="Name" name="name" hint={nameHint} maxLength={200} />
      <details className={classes['more']}>
        <summary>{isRefreshed ? 'Version, visibility, schedule' : 'Version, visibility'}</summary>
        <TextInput
          label="Version of the product"
          name="version"
          maxLength={64}
          hint="Questions that name a version are answered from it."
        />
        <VisibilitySelect isInternal={isInternal} />
        {isRefreshed && <Select label="Read again" name="refresh" options={REFRESHES} />}
      </details>
    </>
  )
}
