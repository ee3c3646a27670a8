import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { unzip } from '@vigia/testing/unzip'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { JPEG } from '../../../test/records/records.ts'
import { createCoco } from './coco.ts'
import { placeCrop } from './place-crop.ts'

/** A JPEG whose header states this size. */
function jpegOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(JPEG)
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  return bytes
}

const caixa = (rotulo: string, x: number, y: number, w: number, h: number) => ({ rotulo, confianca: 0.7, x, y, w, h })

/** The fields that pycocotools reads, with the types that it needs. */
const cocoSchema = z.strictObject({
  info: z.object({ description: z.string(), version: z.string(), year: z.int(), date_created: z.iso.datetime() }),
  licenses: z.array(z.never()),
  images: z.array(
    z.strictObject({
      id: z.int().min(1),
      file_name: z.string(),
      width: z.int().min(1),
      height: z.int().min(1),
      date_captured: z.iso.datetime(),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
  annotations: z.array(
    z.strictObject({
      id: z.int().min(1),
      image_id: z.int(),
      category_id: z.int().min(1),
      bbox: z.tuple([z.number().min(0), z.number().min(0), z.number().positive(), z.number().positive()]),
      area: z.number().positive(),
      iscrowd: z.literal(0),
      segmentation: z.array(z.array(z.number()).length(8)).length(1),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
  categories: z.array(z.strictObject({ id: z.int().min(1), name: z.string(), supercategory: z.string() })),
})

/** Parses the file, and checks the references that `COCO.createIndex` follows. */
function readCoco(bytes: Buffer | undefined) {
  const coco = cocoSchema.parse(JSON.parse(bytes?.toString() ?? ''))
  const ids = (list: readonly { readonly id: number }[]) => new Set(list.map(({ id }) => id))
  const [images, categories] = [ids(coco.images), ids(coco.categories)]
  expect([images.size, categories.size, ids(coco.annotations).size]).toEqual([
    coco.images.length,
    coco.categories.length,
    coco.annotations.length,
  ])
  const sizes = new Map(coco.images.map((image) => [image.id, image]))
  for (const { image_id, category_id, bbox } of coco.annotations) {
    expect([images.has(image_id), categories.has(category_id)]).toEqual([true, true])
    const { width = 0, height = 0 } = sizes.get(image_id) ?? {}
    expect(bbox[0] + bbox[2]).toBeLessThanOrEqual(width + 0.01)
    expect(bbox[1] + bbox[3]).toBeLessThanOrEqual(height + 0.01)
  }
  return coco
}

describe('place of a crop in its frame', () => {
  const frame = { width: 640, height: 480 }
  const person = { x: 0.4, y: 0.2, w: 0.1, h: 0.4 }

  it('is the box with its surroundings', () => {
    expect(placeCrop([person], { width: 96, height: 288 }, frame)).toEqual({
      x: expect.closeTo(0.375),
      y: expect.closeTo(0.1),
      w: expect.closeTo(0.15),
      h: expect.closeTo(0.6),
    })
  })

  it('is that of all boxes, or the whole frame, where the sizes say so', () => {
    const other = { x: 0.7, y: 0.2, w: 0.1, h: 0.4 }
    expect(placeCrop([person, other], { width: 384, height: 288 }, frame)).toMatchObject({ w: expect.closeTo(0.6) })
    expect(placeCrop([person], frame, frame)).toEqual({ x: 0, y: 0, w: 1, h: 1 })
  })

  it('is widened for a small box, or not, as the crop is', () => {
    const small = { x: 0.4, y: 0.2, w: 0.05, h: 0.1 }
    expect(placeCrop([small], { width: 48, height: 72 }, frame)).toMatchObject({ h: expect.closeTo(0.15) })
    expect(placeCrop([small], { width: 107, height: 160 }, frame)).toMatchObject({
      w: expect.closeTo(1 / 6),
      h: expect.closeTo(1 / 3),
      x: expect.closeTo(0.425 - 1 / 12),
      y: expect.closeTo(0.25 - 1 / 6),
    })
    // The height of the frame before its scaling is unknown.
    expect(placeCrop([small], { width: 190, height: 160 }, { width: 1280, height: 720 })).toBeNull()
  })

  it('is unknown for another size, also of the same shape', () => {
    expect(placeCrop([person], { width: 200, height: 288 }, frame)).toBeNull()
    expect(placeCrop([person], { width: 192, height: 576 }, frame)).toBeNull()
    expect(placeCrop([person], { width: 48, height: 144 }, frame)).toBeNull()
  })

  it('holds for a frame that was scaled down to its widest size', () => {
    const small = { width: 1280, height: 720 }
    expect(placeCrop([person], { width: 288, height: 648 }, small)).not.toBeNull()
    expect(placeCrop([person], { width: 150, height: 338 }, small)).toBeNull()
  })
})

it('gives boxes in pixels of the picture, without those that are hardly in it', () => {
  const coco = createCoco({ description: 'x', now: 0 })
  const part = { x: 0.5, y: 0.5, w: 0.25, h: 0.5 }
  const caixas = [caixa('person', 0.55, 0.6, 0.1, 0.2), caixa('car', 0.4, 0.5, 0.12, 0.2), caixa('dog', 0, 0, 0.1, 0.1)]
  const about = { eventoId: 7, file: 'confirmado/7.jpg', ocorridoEm: 0, rotulo: 'confirmado' as const, attributes: {} }
  coco.add({ ...about, width: 100, height: 400, caixas, part })
  const { annotations } = readCoco(coco.file())
  expect(annotations).toMatchObject([
    { bbox: [20, 80, 40, 160], area: 6400, segmentation: [[20, 80, 60, 80, 60, 240, 20, 240]] },
  ])
})

describe('GET /treinamento/exportacao', () => {
  let eventos: { verdadeiro: number; falso: number; deslocado: number }

  const app = fixture(startTestApp)
  const backstage = fixture(() => openBackstage(app))
  const conta = fixture(() => app.account('Integradora'))
  const filha = fixture(() => app.account('Padaria', conta.admin))
  const outra = fixture(() => app.account('Farmácia'))
  const vigilante = fixture(() => app.vigilante(filha))

  beforeAll(async () => {
    const camera = await backstage.camera(filha.empresaId)
    const media = createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })
    const stored = async (crop: Buffer, change = {}) => {
      const id = await backstage.event(camera, {
        caixas_json: JSON.stringify([caixa('person', 0.4, 0.2, 0.1, 0.4)]),
        ...change,
      })
      const { crop_path, quadro_path } = await backstage.db
        .selectFrom('eventos')
        .select(['crop_path', 'quadro_path'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await media.put(crop_path ?? '', crop)
      await media.put(quadro_path ?? '', jpegOf(640, 480))
      return id
    }
    eventos = {
      verdadeiro: await stored(jpegOf(96, 288)),
      falso: await stored(jpegOf(96, 288)),
      deslocado: await stored(jpegOf(160, 160), { ocorrido_em: app.clock.now() - 86_400_000 }),
    }
    await stored(jpegOf(96, 288))
    await backstage.verdict(eventos.falso, 'confirmado')
    for (const [id, rotulo_humano] of [
      [eventos.verdadeiro, 'confirmado'],
      [eventos.falso, 'refutado'],
      [eventos.deslocado, 'confirmado'],
    ] as const)
      await filha.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, { rotulo_humano, revisor: 'Ana Souza' })
  })

  const path = (query = '') => `/api/v1/treinamento/exportacao${query}`

  async function exported(by: Client, query = ''): Promise<Record<string, Buffer>> {
    const response = await fetch(`${app.url}${path(query)}`, { headers: { authorization: `Bearer ${by.token}` } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    return unzip(Buffer.from(await response.arrayBuffer()))
  }

  it('holds the reviewed pictures, with boxes in pixels, review and verdict', async () => {
    const files = await exported(filha.admin)
    const { verdadeiro, falso, deslocado } = eventos
    expect(Object.keys(files).toSorted()).toEqual(
      [
        'LEIA-ME.txt',
        'annotations/instances.json',
        `images/confirmado/${verdadeiro}.jpg`,
        `images/refutado/${falso}.jpg`,
        `images/confirmado/${deslocado}.jpg`,
      ].toSorted(),
    )
    const coco = readCoco(files['annotations/instances.json'])
    const { id: person } = coco.categories.find(({ name }) => name === 'person') ?? {}
    const { id: falsePerson } = coco.categories.find(({ supercategory }) => supercategory === 'falso_alarme') ?? {}
    expect(coco.categories.map(({ name }) => name).toSorted()).toEqual(['falso_person', 'person'])
    const of = (id: number) => coco.annotations.filter(({ image_id }) => image_id === id)
    expect(of(verdadeiro)).toMatchObject([
      { bbox: [16, 48, 64, 192], category_id: person, attributes: { rotulo: 'person', revisao: 'confirmado' } },
    ])
    expect(of(verdadeiro)[0]?.attributes.veredito).toBeNull()
    expect(of(falso)).toMatchObject([
      { category_id: falsePerson, attributes: { rotulo: 'person', revisao: 'refutado', veredito: 'confirmado' } },
    ])
    // Its crop fits no rule, so that the whole frame stands for it.
    expect(of(deslocado)).toMatchObject([{ bbox: [256, 96, 64, 192] }])
    expect(coco.images.find(({ id }) => id === deslocado)).toMatchObject({ width: 640, height: 480 })
    expect(JSON.stringify(coco)).not.toContain('Ana Souza')
  })

  it('is limited to the period and to one Empresa', async () => {
    const desde = encodeURIComponent(new Date(app.clock.now() - 3_600_000).toISOString())
    const images = async (query: string) =>
      readCoco((await exported(conta.admin, query))['annotations/instances.json']).images.map(({ id }) => id)
    expect((await images('')).toSorted()).toEqual(Object.values(eventos).toSorted())
    expect((await images(`?desde=${desde}`)).toSorted()).toEqual([eventos.verdadeiro, eventos.falso].toSorted())
    expect(await images(`?empresa_id=${conta.empresaId}`)).toEqual([])
    expect((await filha.admin.send('GET', path('?desde=2026-01-02T00:00:00Z&ate=2026-01-01T00:00:00Z'))).status).toBe(
      422,
    )
  })

  it('is closed to other roles, and finds nothing out of scope', async () => {
    expect((await vigilante.send('GET', path())).status).toBe(403)
    expect((await filha.usuario.send('GET', path())).status).toBe(403)
    expect((await outra.admin.send('GET', path(`?empresa_id=${filha.empresaId}`))).status).toBe(404)
    expect(readCoco((await exported(outra.admin))['annotations/instances.json']).images).toEqual([])
  })

  it('leaves a record at the Empresa of the pictures', async () => {
    await exported(conta.admin)
    const [record] = await filha.admin.expect<RegistroAuditoria[]>(
      200,
      'GET',
      '/api/v1/auditoria?acao=exportar&limit=1',
    )
    expect(record).toMatchObject({ objeto: 'treinamento', empresa_id: filha.empresaId, depois: { imagens: 3 } })
    expect(record?.username).toBe(`administrador-${conta.empresaId}`)
  })
})
