import { textOfSetting } from '../chosen-parts.ts'
import { apiBelow, createDeskApi } from '../desk-api.ts'

/** The address of the API; undefined if what is set is no address. */
export const rtApi = apiBelow('/REST/2.0')

export const isTicketId = (id: string) => /^\d{1,12}$/.test(id)

export const settingOf = (config: Record<string, unknown>, name: string): string | undefined => {
  const text = textOfSetting(config[name]).trim()
  return text === '' ? undefined : text.slice(0, 300)
}

export const { readWithHeaders: readFromRt, post: postWithRt } = createDeskApi({
  desk: 'Request Tracker',
  refused:
    'Request Tracker refused the token: it has expired, or its user lacks a right. Make a new one, and check the rights of the user on the queue.',
  address: rtApi,
  headers: ({ credentials }) => ({
    authorization: `token ${credentials['token'] ?? ''}`,
    // Proxies that compress an answer change its ETag, and RT does not know the changed one.
    'accept-encoding': 'identity',
  }),
})
