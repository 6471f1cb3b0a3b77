/** A request from outside the service: what a browser or a tool sends, not what the service sends itself. */
export const outsideRequest = async (address: string | URL, init?: RequestInit): Promise<Response> =>
  await fetch(address, init)
