import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import { ConfigError } from '../../../config.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { storedAt } from '../../../test/stores/stored-store.ts'
import { describeRenewal, renewSeals } from './renew-seals.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const before = createSecretBox(oldKey)
const both = createSecretBox(newKey, [oldKey])
const after = createSecretBox(newKey)

let dir: string
let file: string
let db: Database
let lines: object[]
beforeEach(async () => {
  dir = temporaryFolder('vigia-segredos-')
  file = join(dir, 'vigia.db')
  db = await openTestDatabase(file)
  lines = []
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const note = (fields: object) => {
  lines.push(fields)
}
const log = { debug: note, info: note, warn: note, error: note }

/** Adds a row to every table with secrets, encrypted with the old key. Returns the secrets by column. */
async function seed() {
  const { empresaId, cameraId } = await seedCamera(db)
  const urls = {
    rtsp_url_cifrada: before.seal('rtsp://a:um@x/1', secretPurposes.cameraUrl(cameraId)),
    sub_rtsp_url_cifrada: before.seal('rtsp://a:um@x/2', secretPurposes.cameraSubUrl(cameraId)),
  }
  await db.updateTable('cameras').set(urls).where('id', '=', cameraId).execute()
  const at = { criado_em: 1, atualizado_em: 1 }
  const gravador = {
    ...at,
    empresa_id: empresaId,
    edge_id: null,
    nome: '',
    fabricante: 'intelbras',
    url_template: null,
    sub_url_template: null,
    host: 'x',
    porta: 554,
    usuario: 'a',
    senha_cifrada: before.seal('dois', secretPurposes.gravadorSenha(1)),
    num_canais: 4,
  }
  await db.insertInto('gravadores').values(gravador).execute()
  const canal = {
    ...at,
    empresa_id: empresaId,
    tipo: 'webhook' as const,
    destino: 'https://x.example/',
    destinatarios_json: '[]',
    ativo: 1 as const,
    camera_id: null,
    tipos_evento_json: '[]',
    agenda_json: '{}',
    segredo_cifrado: before.seal('três', secretPurposes.canalSegredo(1)),
  }
  await db.insertInto('canais_notificacao').values(canal).execute()
  await db
    .insertInto('canais_notificacao')
    .values({ ...canal, tipo: 'email', segredo_cifrado: null })
    .execute()
  const usuario = {
    username: 'ana',
    username_chave: 'ana',
    senha_hash: 'x',
    papel: 'usuario' as const,
    empresa_id: empresaId,
    criado_em: 1,
    segundo_fator_cifrado: before.seal('quatro', secretPurposes.segundoFator(1)),
  }
  await db.insertInto('usuarios').values(usuario).execute()
  const sealed = [gravador.senha_cifrada, canal.segredo_cifrado, usuario.segundo_fator_cifrado]
  return { cameraId, old: [...Object.values(urls), ...sealed] }
}

/** All stored values, decrypted with `box`. */
async function opened(box: typeof after, cameraId: number) {
  const camera = await db.selectFrom('cameras').selectAll().where('id', '=', cameraId).executeTakeFirstOrThrow()
  const gravador = await db.selectFrom('gravadores').selectAll().executeTakeFirstOrThrow()
  const canal = await db.selectFrom('canais_notificacao').selectAll().orderBy('id').executeTakeFirstOrThrow()
  const usuario = await db.selectFrom('usuarios').selectAll().executeTakeFirstOrThrow()
  return [
    box.open(camera.rtsp_url_cifrada, secretPurposes.cameraUrl(cameraId)),
    box.open(camera.sub_rtsp_url_cifrada ?? '', secretPurposes.cameraSubUrl(cameraId)),
    box.open(gravador.senha_cifrada, secretPurposes.gravadorSenha(gravador.id)),
    box.open(canal.segredo_cifrado ?? '', secretPurposes.canalSegredo(canal.id)),
    box.open(usuario.segundo_fator_cifrado ?? '', secretPurposes.segundoFator(usuario.id)),
  ]
}
const CLEAR = ['rtsp://a:um@x/1', 'rtsp://a:um@x/2', 'dois', 'três', 'quatro']

it('encrypts all values with the new key, so that the old key decrypts none of them', async () => {
  const { cameraId, old } = await seed()
  expect(await renewSeals({ db, box: both, log })).toEqual({ renewed: 5, left: 0 })
  expect(await opened(after, cameraId)).toEqual(CLEAR)
  expect(await renewSeals({ db, box: after, log })).toEqual({ renewed: 0, left: 0 })
  await expect(renewSeals({ db, box: before, log })).rejects.toThrow(ConfigError)
  const disk = await storedAt(file)
  expect(old.filter((sealed) => disk.includes(sealed.slice(12, 40)))).toEqual([])
})

it('changes nothing when it is interrupted', async () => {
  const { cameraId } = await seed()
  let seals = 0
  const failing: typeof both = {
    ...both,
    seal: (text, purpose) => {
      seals += 1
      if (seals === 3) throw new Error('cut off')
      return both.seal(text, purpose)
    },
  }
  await expect(renewSeals({ db, box: failing, log })).rejects.toThrow('cut off')
  expect(await opened(before, cameraId)).toEqual(CLEAR)
})

it('fails if the key of any stored value in any table is missing', async () => {
  const { cameraId } = await seed()
  const clear = { rtsp_url_cifrada: '', sub_rtsp_url_cifrada: null }
  await db.updateTable('cameras').set(clear).where('id', '=', cameraId).execute()
  await expect(renewSeals({ db, box: after, log })).rejects.toThrow(/VIGIA_CHAVE_ANTERIOR/)
  await db.deleteFrom('gravadores').execute()
  await expect(renewSeals({ db, box: after, log })).rejects.toThrow(/Restaure a chave/)
  await db.deleteFrom('canais_notificacao').execute()
  await expect(renewSeals({ db, box: after, log })).rejects.toThrow(/Restaure a chave/)
  await db.deleteFrom('usuarios').execute()
  expect(await renewSeals({ db, box: after, log })).toEqual({ renewed: 0, left: 0 })
})

it('logs and keeps damaged values, and asks to keep the old key for them', async () => {
  const { cameraId } = await seed()
  const damaged = before.seal('dois', 'gravadores/senha/99')
  await db.updateTable('gravadores').set({ senha_cifrada: damaged }).execute()
  const renewal = await renewSeals({ db, box: both, log })
  expect(renewal).toEqual({ renewed: 4, left: 1 })
  expect(lines).toEqual([expect.objectContaining({ tabela: 'gravadores', coluna: 'senha_cifrada', id: 1 })])
  expect((await db.selectFrom('gravadores').selectAll().executeTakeFirstOrThrow()).senha_cifrada).toBe(damaged)
  await expect(opened(after, cameraId)).rejects.toThrow(/sealed with key/)
  expect(describeRenewal(renewal, 1, 'chave')).toMatch(/^Chave trocada: 4 .* 1 .*antes de remover a chave anterior/)
})

it('handles more rows than one page, and leaves no old value in unused parts of the file', async () => {
  const { cameraId } = await seed()
  const { id: _id, ...camera } = await db
    .selectFrom('cameras')
    .selectAll()
    .where('id', '=', cameraId)
    .executeTakeFirstOrThrow()
  for (let i = 1; i <= 1100; i += 1) {
    const sealed = before.seal(`rtsp://x/${i}`, secretPurposes.cameraUrl(cameraId + i))
    await db
      .insertInto('cameras')
      .values({ ...camera, rtsp_url_cifrada: sealed, sub_rtsp_url_cifrada: null })
      .execute()
  }
  // Growing rows move to other pages and leave their old bytes in the file.
  for (let id = 1; id <= 1100; id += 7)
    await db
      .updateTable('cameras')
      .set({ instrucoes_json: 'x'.repeat((id * 37) % 3000) })
      .where('id', '=', id)
      .execute()
  expect(await renewSeals({ db, box: both, log })).toEqual({ renewed: 1105, left: 0 })
  expect((await storedAt(file)).includes(`v1.${before.keyId}.`)).toBe(false)
})

it('prints a line on the console only after a rotation', () => {
  expect(describeRenewal({ renewed: 0, left: 0 }, 0, 'chave')).toBeNull()
  expect(describeRenewal({ renewed: 0, left: 0 }, 1, 'chave')).toMatch(/^A chave anterior não é mais usada/)
  expect(describeRenewal({ renewed: 2, left: 0 }, 1, 'chave')).toMatch(/^Chave trocada: 2 .*pode ser removida/)
})
