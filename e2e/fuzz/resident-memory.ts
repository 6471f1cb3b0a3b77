/** Resident memory of the service's process in MiB, from its metrics. */
export async function residentMebibytes(address: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', address))).text()
  const bytes = Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
  return Math.round(bytes / 1_048_576)
}
