import { createElement, type ReactNode } from 'react'

/** The words of HTML that React names otherwise. */
export function elementOf(
  tag: string,
  properties: Record<string, unknown> | null,
  ...children: ReactNode[]
): ReactNode {
  const { class: className, referrerpolicy: referrerPolicy, ...rest } = properties ?? {}
  return createElement(
    tag,
    {
      ...rest,
      ...(className !== undefined && { className }),
      ...(referrerPolicy !== undefined && { referrerPolicy }),
    },
    ...children,
  )
}
