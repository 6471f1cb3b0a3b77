/** A browser that follows redirects, keeps cookies by path, and fills in forms: the features that signing in needs. */
export function openScriptedBrowser({ userAgent = '' } = {}) {
  const cookies: { name: string; value: string; path: string; origin: string }[] = []

  function keepCookies(response: Response, url: URL): void {
    for (const header of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split(/;\s*/)
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const of = (key: string) =>
        attributes.find((attribute) => attribute.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
      const path = of('path') ?? '/'
      const known = cookies.findIndex(
        (cookie) => cookie.name === name && cookie.path === path && cookie.origin === url.origin,
      )
      if (known >= 0) cookies.splice(known, 1)
      const expires = of('expires')
      const isGone = value === '' || (expires !== undefined && Date.parse(expires) < Date.now())
      if (!isGone) cookies.push({ name, value, path, origin: url.origin })
    }
  }

  const cookiesFor = (url: URL) =>
    cookies
      .filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')

  async function request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address)
    const headers = new Headers(init.headers)
    const cookie = cookiesFor(url)
    if (cookie !== '') headers.set('cookie', cookie)
    if (userAgent !== '') headers.set('user-agent', userAgent)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    keepCookies(response, url)
    return response
  }

  /** Follows redirects to a page, or to an address with one of these prefixes, such as that of a tool, where no server listens. */
  async function go(
    address: string | URL,
    until: readonly string[],
    init?: RequestInit,
  ): Promise<{ url: URL; response: Response; html: string }> {
    let url = new URL(address)
    let response = await request(url, init)
    for (let hop = 0; hop < 12; hop += 1) {
      const location = response.headers.get('location')
      if (location === null) return { url, response, html: await response.text() }
      url = new URL(location, url)
      if (until.some((start) => url.href.startsWith(start))) return { url, response, html: '' }
      response = await request(url)
    }
    throw new Error('The browser was sent around in circles.')
  }

  /** Submits the form whose button has this label, with these texts, or with these options selected (a list). */
  async function press(
    page: { url: URL; html: string },
    button: string,
    until: readonly string[],
    typed: Record<string, string | readonly string[]> = {},
    // The address of the browser, as a proxy reports it.
    from = '',
  ) {
    const form = [...page.html.matchAll(/<form[\s\S]*?<\/form>/g)]
      .map(([text]) => text)
      .find((text) => text.includes(button))
    if (form === undefined) throw new Error(`There is no button "${button}" on the page:\n${page.html}`)
    const fields = new URLSearchParams()
    for (const [input] of form.matchAll(/<input[\s\S]*?>/g)) {
      const of = (key: string) => new RegExp(`${key}="([^"]*)"`).exec(input)?.[1] ?? ''
      if (of('type') === 'checkbox') {
        if (/\schecked\b/.test(input)) fields.append(of('name'), of('value'))
      } else fields.set(of('name'), of('value').replaceAll('&amp;', '&'))
    }
    for (const [name, value] of Object.entries(typed)) {
      fields.delete(name)
      for (const each of [value].flat()) fields.append(name, each)
    }
    const action = /^<form[^>]*action="([^"]*)"/.exec(form)?.[1] ?? page.url.href
    return await go(new URL(action, page.url), until, {
      method: 'POST',
      body: fields.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: page.url.origin,
        ...(from !== '' && { 'x-forwarded-for': from }),
      },
    })
  }

  return { request, go, press, cookies }
}
