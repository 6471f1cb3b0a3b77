/** Where the platform of an integration delivers to. */
export const addressOfHook = (publicUrl: string, integrationId: string): string =>
  `${publicUrl}/api/v1/hooks/${integrationId}`
