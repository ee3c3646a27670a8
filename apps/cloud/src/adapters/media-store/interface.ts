/** Pictures of events. Paths are relative, lower case, `/`-separated; the database holds them. */
export interface MediaStore {
  /** Writes `bytes` under `path`, whole or not at all; durable (survives a power cut) once it resolves. Overwrites. */
  put(path: string, bytes: Buffer): Promise<void>
  /** The bytes, or null when nothing lies there. */
  read(path: string): Promise<Buffer | null>
}
