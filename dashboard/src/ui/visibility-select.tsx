import { Select } from './field.tsx'

/** Who sees documents: of an internal knowledge base only its members. */
export const VisibilitySelect = ({
  isInternal,
  hint,
  defaultValue,
}: {
  isInternal: boolean
  hint?: string | undefined
  defaultValue?: 'public' | 'restricted' | undefined
}) => (
  <Select
    label="Visible to"
    name="visibility"
    defaultValue={isInternal ? 'restricted' : (defaultValue ?? 'public')}
    options={
      isInternal
        ? [['restricted', 'Members only: the knowledge base is internal']]
        : [
            ['public', 'Everyone'],
            ['restricted', 'Members only: never on a website, in a public key or a public AI tool'],
          ]
    }
    hint={hint}
  />
)
