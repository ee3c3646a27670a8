import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { ConfigError } from '../../config.ts'
import type { MediaStore, MediaWarning } from './interface.ts'
import { explainFailure } from './s3-failures.ts'
import { createS3MediaStore, type S3Place } from './s3-media-store.ts'
import { findVersions } from './s3-versions.ts'
import type { S3Settings } from './settings.ts'

const CONNECT_MS = 5_000
/** Time to the first byte of an answer, including the upload of a part. */
const ANSWER_MS = 60_000
/** Each viewer of a clip holds a connection; the SDK's default is 50. */
const CONNECTIONS = 256

/**
 * Opens the media store in a bucket, after a trial of each kind of request.
 * @param warn is called if the bucket keeps, or may keep, the versions of deleted objects
 * @throws ConfigError with the setting to correct, in Portuguese
 */
export async function openS3MediaStore(
  settings: S3Settings,
  warn: (warning: MediaWarning) => void,
): Promise<MediaStore> {
  const { bucket, prefix } = settings
  const place = { client: createClient(settings), bucket, prefix }
  const warning = (await tryRequests(place, settings)) ? await findVersions(place) : null
  if (warning !== null) warn(warning)
  return createS3MediaStore(place)
}

function createClient({ endpoint, regiao, chave }: S3Settings): S3Client {
  const agent = { keepAlive: true, maxSockets: CONNECTIONS }
  return new S3Client({
    region: regiao,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(chave && { credentials: { accessKeyId: chave.id, secretAccessKey: chave.secreta.reveal() } }),
    // The SDK's default (January 2025) adds checksums that R2, Garage and older MinIO refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

/**
 * Lists, writes, reads and deletes once, because a missing permission would show only hours later. Returns whether the
 * bucket seems to keep versions: a write there has the id of one (Amazon S3 API, PutObject and DeleteObject). The id is
 * `null` while versions are suspended, and a deleted object is then gone.
 */
async function tryRequests({ client, bucket, prefix }: S3Place, settings: S3Settings): Promise<boolean> {
  // The sweep of the media lists only their folders, and this name is outside.
  const key = { Bucket: bucket, Key: `${prefix}.teste-${randomUUID()}` }
  const steps = [
    ['listar', () => client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }))],
    ['gravar', () => client.send(new PutObjectCommand({ ...key, Body: Buffer.from('vigia') }))],
    ['ler', async () => (await client.send(new GetObjectCommand(key))).Body?.transformToByteArray()],
    ['apagar', () => client.send(new DeleteObjectCommand(key))],
  ] as const
  let keepsVersions = false
  for (const [step, request] of steps)
    try {
      const answer = await request()
      if (answer !== undefined && 'VersionId' in answer && (answer.VersionId ?? 'null') !== 'null') keepsVersions = true
    } catch (error) {
      client.destroy()
      throw new ConfigError(explainFailure(error, step, settings))
    }
  return keepsVersions
}
