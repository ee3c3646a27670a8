import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { MediaLengthError, type MediaStream } from './interface.ts'
import { answered } from './s3-failures.ts'

interface ObjectKey {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Size of a part. S3 accepts 10,000 parts of at least 5 MiB; R2 wants all but the last of one size. A part is kept in
 * memory, so that the SDK can sign its hash and send it again.
 */
const PART_BYTES = 8 * 1024 * 1024

/**
 * Writes a stream of known length. The object appears only after the stream has ended with that length: a failed
 * stream leaves the former object.
 * @throws MediaLengthError, the error of the stream, or VigiaError `indisponivel`
 */
export async function putStream(client: S3Client, target: ObjectKey, content: MediaStream): Promise<void> {
  if (content.size > PART_BYTES) return putParts(client, target, content)
  for await (const Body of partsOf(content)) await answered(client.send(new PutObjectCommand({ ...target, Body })))
}

async function putParts(client: S3Client, target: ObjectKey, content: MediaStream): Promise<void> {
  const { UploadId } = await answered(client.send(new CreateMultipartUploadCommand(target)))
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for await (const Body of partsOf(content)) {
      const PartNumber = Parts.length + 1
      const { ETag } = await answered(client.send(new UploadPartCommand({ ...upload, PartNumber, Body })))
      Parts.push({ PartNumber, ETag })
    }
    await answered(client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })))
  } catch (error) {
    // Parts that stay are removed by the rules of the bucket (docs/replicas.md).
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

/** Cuts a stream into parts of PART_BYTES. The last part comes after the end of the stream. @throws MediaLengthError */
async function* partsOf({ size, chunks }: MediaStream): AsyncGenerator<Buffer, void, void> {
  let left = size
  let part = Buffer.allocUnsafe(Math.min(PART_BYTES, left))
  let filled = 0
  for await (const chunk of chunks) {
    if (chunk.length > left) throw wrongLength(size)
    for (let rest = chunk; rest.length > 0; ) {
      if (filled === part.length) {
        yield part
        part = Buffer.allocUnsafe(Math.min(PART_BYTES, left))
        filled = 0
      }
      const taken = rest.subarray(0, part.length - filled)
      part.set(taken, filled)
      filled += taken.length
      left -= taken.length
      rest = rest.subarray(taken.length)
    }
  }
  if (left > 0) throw wrongLength(size)
  yield part
}

const wrongLength = (size: number) => new MediaLengthError(`stream of ${size} bytes has another length`)
