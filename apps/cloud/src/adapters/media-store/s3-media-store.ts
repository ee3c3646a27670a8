import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { ByteRange, MediaContent, MediaStore } from './interface.ts'
import { isMediaPath, requireMediaFolder, requireMediaPath } from './media-path.ts'
import { runWriters } from './run-writers.ts'
import { answered, asUnavailable, nullIfMissing } from './s3-failures.ts'
import { putStream } from './s3-put-stream.ts'

export interface S3Place {
  readonly client: S3Client
  readonly bucket: string
  /** Begin of each key: empty, or with a final slash. */
  readonly prefix: string
  /** Longest time without a byte while a reader waits for one. */
  readonly stallMs?: number
}

const STALL_MS = 60_000

/**
 * Media as objects of an S3-compatible store. An object appears whole or not at all, and a server confirms it only once
 * it is durable. A failed request rejects with VigiaError `indisponivel`.
 */
export function createS3MediaStore({ client, bucket, prefix, stallMs = STALL_MS }: S3Place): MediaStore {
  const keyOf = (path: string) => ({ Bucket: bucket, Key: prefix + requireMediaPath(path) })

  async function get(path: string, range?: ByteRange): Promise<Readable | null> {
    const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }
    const found = await client.send(new GetObjectCommand({ ...keyOf(path), ...part })).catch(nullIfMissing)
    if (found?.Body === undefined) return null
    // On Node the body is always a stream of Node.
    const body = found.Body as Readable
    // `chunksOf` reports a failure. Without a listener, one before the first read would end the process.
    return body.on('error', () => {})
  }

  const head = (path: string) => client.send(new HeadObjectCommand(keyOf(path))).catch(nullIfMissing)

  async function write({ Bucket, Key, content }: Target): Promise<void> {
    if (!Buffer.isBuffer(content)) return putStream(client, { Bucket, Key }, content)
    await answered(client.send(new PutObjectCommand({ Bucket, Key, Body: content })))
  }

  return {
    put: async (path, content) => write({ ...keyOf(path), content }),
    async putAll(files) {
      // Only the last file of a repeated name is written, which avoids a race.
      const targets = files.map(({ path, bytes }) => ({ ...keyOf(path), content: bytes }))
      await runWriters(new Map(targets.map((target) => [target.Key, target])).values(), write)
    },
    async read(path) {
      const body = await get(path)
      return body && buffer(chunksOf(body, stallMs))
    },
    async open(path, range) {
      const body = await get(path, range)
      return body && streamOf(body, stallMs)
    },
    size: async (path) => (await head(path))?.ContentLength ?? null,
    writtenAt: async (path) => (await head(path))?.LastModified?.getTime() ?? null,
    async *list(folder) {
      const Prefix = `${prefix}${requireMediaFolder(folder)}/`
      let ContinuationToken: string | undefined
      do {
        const page = new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken })
        const { Contents = [], NextContinuationToken } = await answered(client.send(page))
        const paths = Contents.map(({ Key = '' }) => Key.slice(prefix.length))
        yield* paths.filter(isMediaPath)
        ContinuationToken = NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
    async remove(path) {
      await answered(client.send(new DeleteObjectCommand(keyOf(path))))
    },
    // An interrupted write leaves no object. The rules of the bucket remove its parts (docs/replicas.md).
    recover: async () => {},
  }
}

interface Target {
  readonly Bucket: string
  readonly Key: string
  readonly content: MediaContent
}

/** The body of an answer. A reader that cancels closes the connection, also before its first read. */
function streamOf(body: Readable, stallMs: number): ReadableStream<Uint8Array> {
  const chunks = chunksOf(body, stallMs)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void body.destroy(),
    },
    // No read-ahead, so that a slow reader slows the server down.
    { highWaterMark: 0 },
  )
}

/** Chunks of an answer. A server that sends nothing for `stallMs` is given up; a slow reader is not. */
async function* chunksOf(body: Readable, stallMs: number): AsyncGenerator<Uint8Array, void, void> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const stall = setTimeout(() => body.destroy(new Error(`no data for ${stallMs} ms`)), stallMs)
      const next = await chunks.next().finally(() => clearTimeout(stall))
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    body.destroy()
  }
}
