/** Content of a file: its bytes, or a stream of known length. */
export type MediaContent = Buffer | MediaStream

export interface MediaStream {
  readonly size: number
  readonly chunks: AsyncIterable<Uint8Array>
}

export interface MediaFile {
  readonly path: string
  readonly bytes: Buffer
}

/** First and last byte, both inclusive, within the file. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The stream of a file ended before its declared size, or continued after it. The store holds nothing of it. */
export class MediaLengthError extends Error {
  override readonly name = 'MediaLengthError'
}

/** A finding about the store at its start. */
export interface MediaWarning {
  /** Portuguese sentence for the operator, with the finding and the step that mends it. */
  readonly aviso: string
  /** Whether the store certainly keeps deleted files. */
  readonly keepsVersions: boolean
}

/** Pictures and clips. Paths are relative, lower case, `/`-separated, and stored in the database. */
export interface MediaStore {
  /**
   * Writes the file atomically; durable (survives a power cut) once it resolves. Overwrites. When the stream fails or
   * has another length (MediaLengthError), the former file stays.
   */
  put(path: string, content: MediaContent): Promise<void>
  /** Writes several files concurrently. After a rejection any of the files may exist, each complete. */
  putAll(files: readonly MediaFile[]): Promise<void>
  /** The whole file, for pictures. null: no such file. */
  read(path: string): Promise<Buffer | null>
  /** The file, or a range of it, in chunks. null: no such file. A reader that cancels closes the file. */
  open(path: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Bytes of the file; null: no such file. */
  size(path: string): Promise<number | null>
  /** Time of the last write, in epoch ms; null: no such file. */
  writtenAt(path: string): Promise<number | null>
  /** Deletes the file; durable (survives a power cut) once it resolves. A missing file is no error. */
  remove(path: string): Promise<void>
  /** Paths below a folder (`clipes/2026`), in the order of their names. Unfinished writes are not listed. */
  list(folder: string): AsyncIterable<string>
  /** Removes incomplete files of an earlier process. Call it before the first `put`. */
  recover(): Promise<void>
}
