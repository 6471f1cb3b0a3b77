/** What an agent app may do once somebody has approved it. */
export interface DeclaredAction {
  name: string
  url: string
  description?: string
}

const textIn = (value: object, name: string): string => {
  const found: unknown = (value as Record<string, unknown>)[name]
  return typeof found === 'string' ? found : ''
}

/** The actions in the settings of an agent app; what is none there is left out. */
export function actionsOf(config: Readonly<Record<string, unknown>> | undefined): DeclaredAction[] {
  const actions: unknown = config?.['actions']
  if (!Array.isArray(actions)) return []
  return actions.flatMap((action: unknown) =>
    typeof action === 'object' && action !== null
      ? [
          {
            name: textIn(action, 'name'),
            url: textIn(action, 'url'),
            description: textIn(action, 'description'),
          },
        ]
      : [],
  )
}

/** The actions of a form, in whose rows these fields are named alike. A row without a name and an address is left out. */
export function typedActions(form: FormData): DeclaredAction[] {
  const textsOf = (name: string) =>
    form.getAll(`action.${name}`).map((value) => (typeof value === 'string' ? value.trim() : ''))
  const [names, urls, descriptions] = [textsOf('name'), textsOf('url'), textsOf('description')]
  return names.flatMap((name, index) => {
    const [url = '', description = ''] = [urls[index], descriptions[index]]
    if (name === '' && url === '') return []
    return [{ name, url, ...(description !== '' && { description }) }]
  })
}
