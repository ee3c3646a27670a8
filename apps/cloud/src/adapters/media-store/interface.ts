export interface MediaFile {
  readonly path: string
  readonly bytes: Buffer
}

/** Pictures of events. Paths are relative, lower case, `/`-separated, and stored in the database. */
export interface MediaStore {
  /** Writes `bytes` to `path` atomically; durable (survives a power cut) once it resolves. Overwrites. */
  put(path: string, bytes: Buffer): Promise<void>
  /** Writes several files concurrently. After a rejection any of the files may exist, each complete. */
  putAll(files: readonly MediaFile[]): Promise<void>
  /** null: no such file. */
  read(path: string): Promise<Buffer | null>
  /** Deletes the file; durable (survives a power cut) once it resolves. A missing file is no error. */
  remove(path: string): Promise<void>
  /** Removes incomplete files of an earlier process. Call it before the first `put`. */
  recover(): Promise<void>
}
