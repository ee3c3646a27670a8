export interface MediaFile {
  readonly path: string
  readonly bytes: Buffer
}

/** Pictures of events. Paths are relative, lower case, `/`-separated; the database holds them. */
export interface MediaStore {
  /** Writes `bytes` under `path`, whole or not at all; durable (survives a power cut) once it resolves. Overwrites. */
  put(path: string, bytes: Buffer): Promise<void>
  /** The same for many, side by side. When it rejects, any of them may be there, each whole. */
  putAll(files: readonly MediaFile[]): Promise<void>
  /** The bytes, or null when nothing lies there. */
  read(path: string): Promise<Buffer | null>
  /** Nothing lies under `path` any more, also after a power cut, once it resolves. What is not there is no error. */
  remove(path: string): Promise<void>
  /** Removes what writes of an earlier process left unfinished. Called before the first `put`. */
  recover(): Promise<void>
}
