/** A request from outside the service: one that a browser or a tool sends, not the service itself. */
export const outsideRequest = async (address: string | URL, init?: RequestInit): Promise<Response> =>
  await fetch(address, init)
