import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { type S3Server, s3ForTests } from '@vigia/testing/s3-server'

/** An empty bucket on the S3 server of the tests. */
export interface TestBucket {
  readonly server: S3Server
  readonly name: string
  readonly client: S3Client
  /** Settings of a cloud with its media below `prefix`. */
  env(prefix: string): Record<string, string>
  /** All keys of the bucket. */
  keys(): Promise<string[]>
  /** Deletes the bucket with its objects; a second call does nothing. */
  close(): Promise<void>
}

/** Creates a bucket. The server is that of VIGIA_S3_TESTE_URL, or one of this process. */
export async function openTestBucket(): Promise<TestBucket> {
  const server = await s3ForTests()
  const name = `vigia-teste-${randomBytes(6).toString('hex')}`
  const credentials = { accessKeyId: server.id, secretAccessKey: server.secret }
  const client = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: name }))

  let open = true
  async function keys(): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
    return Contents.flatMap(({ Key }) => Key ?? [])
  }
  return {
    server,
    name,
    client,
    keys,
    env: (prefix) => ({
      VIGIA_MIDIA: `s3://${name}/${prefix}`,
      VIGIA_S3_ENDPOINT: server.url,
      VIGIA_S3_CHAVE_ID: server.id,
      VIGIA_S3_CHAVE_SECRETA: server.secret,
    }),
    async close() {
      if (!open) return
      open = false
      for (let left = await keys(); left.length > 0; left = await keys())
        for (const Key of left) await client.send(new DeleteObjectCommand({ Bucket: name, Key }))
      await client.send(new DeleteBucketCommand({ Bucket: name }))
      client.destroy()
      await server.stop()
    },
  }
}
