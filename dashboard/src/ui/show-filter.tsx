import { useNavigate } from '@tanstack/react-router'
import { Select } from './field.tsx'
import { Filters } from './filters.tsx'

/** A list of which the filter leaves nothing. */
export const NONE_SHOWN = 'Nothing to show. Choose another option under Show.'

/** What of a list is shown, kept in the address as `show`, beside what else is there. */
export function ShowFilter({
  options,
  value,
}: {
  options: readonly (readonly [value: string, name: string])[]
  value: string
}) {
  const navigate = useNavigate()
  return (
    <Filters>
      <Select
        label="Show"
        options={options}
        value={value}
        onChange={(event) =>
          void navigate({
            to: '.',
            search: ({ show: _before, ...others }) => ({
              ...others,
              ...(event.target.value !== '' && { show: event.target.value }),
            }),
            replace: true,
          })
        }
      />
    </Filters>
  )
}
