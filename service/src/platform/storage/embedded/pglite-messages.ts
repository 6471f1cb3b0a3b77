/** The messages between the main thread and the storage worker. */
export type StorageRequest =
  /** `begin`: the statement that starts the transaction of which this is the first. */
  | { id: number; kind: 'query'; text: string; values: unknown[]; begin?: string | undefined }
  | { id: number; kind: 'exec'; text: string }
  | { id: number; kind: 'dump' }
  | { id: number; kind: 'close' }

export interface StorageFault {
  message: string
  code: string | undefined
  constraint: string | undefined
  detail: string | undefined
}

export type StorageReply =
  | { id: number; rows: Record<string, unknown>[]; affectedRows: number | undefined }
  | { id: number; fault: StorageFault }
  | EngineOpened
  | EngineEnded

/** The engine accepts statements from here on. */
export interface EngineOpened {
  isOpen: true
}

/** The engine has ended unexpectedly, and its thread with it; its last message. */
export interface EngineEnded {
  ended: string
}

export interface StorageWorkerData {
  /** Folder of the database, or undefined for one in memory. */
  directory: string | undefined
  /** File of a dumped database (a tar) to start from if the folder is empty. */
  template: string | undefined
  /** Waits for the disk on each commit. Off only for throw-away databases of tests. */
  isDurable: boolean
}
