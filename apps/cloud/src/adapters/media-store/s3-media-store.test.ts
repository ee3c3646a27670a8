import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '@vigia/testing/free-port'
import { startS3Server } from '@vigia/testing/s3-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../config.ts'
import { openTestBucket, type TestBucket } from '../../test/stand-ins/s3-bucket.ts'
import { testMediaStore } from '../../test/stores/media-store-contract.ts'
import type { MediaWarning } from './interface.ts'
import { mediaFolder, openMediaStore } from './open-media-store.ts'
import { createS3MediaStore } from './s3-media-store.ts'

const PATH = 'eventos/2026/11/21/a.jpg'
let bucket: TestBucket
beforeAll(async () => {
  bucket = await openTestBucket()
})
afterAll(() => bucket.close())

const open = (prefix: string, change: Record<string, string> = {}) =>
  openMediaStore(loadConfig({ ...bucket.env(prefix), ...change }))

describe('S3 media store', () => {
  testMediaStore(() => open(`contrato/${randomUUID()}`))

  it('keeps its objects below its prefix, and lists no other ones', async () => {
    const media = await open('uma/')
    await media.put(PATH, Buffer.from('x'))
    await (await open('outra')).put(PATH, Buffer.from('y'))
    await bucket.client.send(
      new PutObjectCommand({ Bucket: bucket.name, Key: 'uma/eventos/Notas do bucket.txt', Body: 'z' }),
    )
    expect((await bucket.keys()).filter((key) => !key.startsWith('contrato/'))).toEqual([
      `outra/${PATH}`,
      `uma/${PATH}`,
      'uma/eventos/Notas do bucket.txt',
    ])
    const listed: string[] = []
    for await (const path of media.list('eventos')) listed.push(path)
    expect(listed).toEqual([PATH])
    expect((await media.read(PATH))?.toString()).toBe('x')
  })

  it('lists more objects than one answer of the server holds', async () => {
    const media = await open('muitos')
    const files = Array.from({ length: 1_005 }, (_, i) => ({
      path: `eventos/${1_000 + i}.jpg`,
      bytes: Buffer.from('x'),
    }))
    await media.putAll(files)
    const listed: string[] = []
    for await (const path of media.list('eventos')) listed.push(path)
    expect(listed).toEqual(files.map(({ path }) => path))
  })
})

it('takes the whole bucket without a prefix, and has no folder on this machine', async () => {
  const config = loadConfig({ ...bucket.env(''), VIGIA_MIDIA: `s3://${bucket.name}` })
  expect([config.midia?.prefix, mediaFolder(config)]).toEqual(['', null])
  const media = await openMediaStore(config)
  await media.put('dataset/confirmado/a.json', Buffer.from('{}'))
  expect(await bucket.keys()).toContain('dataset/confirmado/a.json')
})

/** A rule that ends old versions of the objects that `filter` names. */
const rule = (filter: string, status = 'Enabled') =>
  `<Rule><ID>um</ID>${filter}<Status>${status}</Status>` +
  '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration></Rule>'
const ALL = '<Filter></Filter>'
const CURRENT_ONLY = `<Rule>${ALL}<Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule>`
const KEEPS = /^O bucket fotos guarda versões.*Desligue o versionamento.*regra/
const UNREAD = /^O bucket fotos guarda versões.*não pôde ler as regras.*s3:GetLifecycleConfiguration/
const PERHAPS = /^O bucket fotos talvez guarde versões.*não pôde ler.*s3:GetBucketVersioning/

it.each([
  ['a bucket that keeps versions is named at the start', { status: 'Enabled', rules: [] }, [[true, KEEPS]]],
  ['a bucket without versions gives no warning', null, []],
  ['a bucket with suspended versions gives none', { status: 'Suspended', rules: [] }, []],
  ['a rule that ends old versions of the whole bucket is seen', { status: 'Enabled', rules: [rule(ALL)] }, []],
  [
    'a rule for a folder above that of the media is seen',
    { status: 'Enabled', rules: [rule('<Filter><Prefix>a</Prefix></Filter>')] },
    [],
  ],
  [
    'a rule for other objects is none',
    { status: 'Enabled', rules: [rule('<Prefix>b/</Prefix>'), rule('<Filter><Prefix>a/eventos/</Prefix></Filter>')] },
    [[true, KEEPS]],
  ],
  [
    'a rule that is switched off, for tagged objects, or for current ones is none',
    {
      status: 'Enabled',
      rules: [
        rule(ALL, 'Disabled'),
        rule('<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>'),
        rule('<Filter><And><Prefix>a/</Prefix><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan></And></Filter>'),
        CURRENT_ONLY,
      ],
    },
    [[true, KEEPS]],
  ],
  ['rules that the key may not read are named', { status: 'Enabled', rules: null }, [[true, UNREAD]]],
  ['versions that the key may not read are named', { status: null, rules: null }, [[false, PERHAPS]]],
] as const)('%s', async (_what, versions, expected) => {
  const server = await startS3Server({ buckets: ['fotos'], versions })
  const warnings: MediaWarning[] = []
  const env = { VIGIA_MIDIA: 's3://fotos/a', VIGIA_S3_ENDPOINT: server.url }
  const key = { VIGIA_S3_CHAVE_ID: server.id, VIGIA_S3_CHAVE_SECRETA: server.secret }
  await openMediaStore(loadConfig({ ...env, ...key }), (warning) => warnings.push(warning))
  await server.stop()
  expect(warnings).toEqual(
    expected.map(([keepsVersions, sentence]) => ({ keepsVersions, aviso: expect.stringMatching(sentence) })),
  )
})

describe('a start with wrong settings is refused with the setting to correct', () => {
  const refusal = (change: Record<string, string>) => open('prova', change).catch((error: unknown) => error)

  it.each([
    [
      'a bucket that does not exist',
      { VIGIA_MIDIA: 's3://vigia-nao-existe/x' },
      /O bucket vigia-nao-existe não existe.*VIGIA_MIDIA/,
    ],
    ['a wrong secret', { VIGIA_S3_CHAVE_SECRETA: 'segredo-errado' }, /recusou as credenciais.*VIGIA_S3_CHAVE_SECRETA/],
    ['an unknown key', { VIGIA_S3_CHAVE_ID: 'AKIAERRADA' }, /recusou as credenciais.*VIGIA_S3_CHAVE_ID/],
  ])('%s', async (_what, change, sentence) => {
    const error = await refusal(change)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toMatch(sentence)
    expect((error as Error).message).not.toContain('segredo-errado')
  })

  it('a server that does not answer', async () => {
    const error = await refusal({ VIGIA_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` })
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toMatch(/não responde \(ECONNREFUSED\).*VIGIA_S3_ENDPOINT/)
  })

  it.each([
    ['POST', 403, 'AccessDenied', 'listar'],
    ['GET', 403, 'AccessDenied', 'gravar'],
    ['PUT', 301, 'PermanentRedirect', 'outra região.*VIGIA_S3_REGIAO'],
  ])('a server that only allows %s', async (allowed, status, code, sentence) => {
    const answers = createServer((request, response) => {
      const isList = request.method === 'GET'
      if (allowed === 'GET' && isList) return response.end('<ListBucketResult></ListBucketResult>')
      return response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => answers.listen(port, '127.0.0.1', resolve))
    const error = await refusal({ VIGIA_S3_ENDPOINT: `http://127.0.0.1:${port}` })
    answers.close()
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toMatch(new RegExp(sentence))
  })
})

describe('a server that fails', () => {
  const MISSING_BODY_BYTES = 10

  /** A store on a server that sends the begin of each object, and then nothing. */
  async function stalledStore() {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 5 + MISSING_BODY_BYTES }).write('begin')
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials,
      forcePathStyle: true,
    })
    const close = () => {
      client.destroy()
      server.closeAllConnections()
      server.close()
    }
    return { media: createS3MediaStore({ client, bucket: 'balde', prefix: '', stallMs: 50 }), server, close }
  }

  it('in the middle of an object rejects the read, and the caller gets a sentence', async () => {
    const { media, close } = await stalledStore()
    await expect(media.read(PATH)).rejects.toMatchObject({ code: 'indisponivel', detalhe: /não atendeu/ })
    const stream = await media.open(PATH)
    await expect(stream && buffer(stream)).rejects.toMatchObject({ code: 'indisponivel' })
    close()
  })

  it('between two reads does not end the process', async () => {
    const { media, server, close } = await stalledStore()
    const stream = await media.open(PATH)
    server.closeAllConnections()
    await expect(stream && buffer(stream)).rejects.toMatchObject({ code: 'indisponivel' })
    close()
  })

  it('or refuses later rejects each request with `indisponivel`', async () => {
    const { media, close } = await stalledStore()
    close()
    const refused = { code: 'indisponivel' }
    await expect(media.put(PATH, Buffer.from('x'))).rejects.toMatchObject(refused)
    await expect(media.size(PATH)).rejects.toMatchObject(refused)
    await expect(media.remove(PATH)).rejects.toMatchObject(refused)
    await expect(media.list('eventos')[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused)
  })
})
