import { cp } from 'node:fs/promises'
import { waitFor } from '@vigia/testing/wait'
import { ask } from '../clients/ask.ts'
import type { Client } from '../clients/client.ts'
import { type Backstage, startWithBackstage } from '../clouds/backstage.ts'
import { type Account, SENHA, type TestApp } from '../clouds/test-app.ts'
import { bodyOf, fetchDocument } from '../walks/api-document.ts'
import { LOOPBACK_ALLOWED, type OwnRecords, ownRecords } from './own-records.ts'

/** Data of a cloud that has stopped, with records of all kinds. */
export interface FilledInstallation {
  /** VIGIA_DATA_DIR and VIGIA_BANCO. */
  readonly env: Readonly<Record<string, string>>
  /** Time of its last change, epoch ms. */
  readonly now: number
  /** Session token of an operator and of an administrador. */
  readonly tokens: Readonly<Record<string, string>>
}

/** Fills `dataDir`, and on PostgreSQL a database of the test server. */
export async function fillInstallation(dataDir: string): Promise<FilledInstallation> {
  const { app, backstage } = await startWithBackstage(LOOPBACK_ALLOWED)
  try {
    const integradora = await app.account('Integradora')
    const conta = await app.account('Loja', integradora.admin)
    for (const { empresaId } of [integradora, conta])
      await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_cameras: 1000 })
    await conta.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
    await sendExamples(app, ownRecords(backstage, conta), integradora)
    await aimAtLoopback(conta.admin)
    await addEventos(backstage, conta.empresaId)
    const now = await waitFor('the work of the queue to end', () => timeWithoutDueWork(backstage, app.clock.now()))
    const tokens = { operador: app.operator.token, administrador: conta.admin.token }
    await cp(app.dataDir, dataDir, { recursive: true })
    return { env: { VIGIA_DATA_DIR: dataDir, ...app.banco }, now, tokens }
  } finally {
    await app.stop()
  }
}

/** Sends notifications to an address where nothing listens. */
async function aimAtLoopback(admin: Client): Promise<void> {
  const canais = await admin.expect<{ id: number; destino: string | null }[]>(200, 'GET', '/api/v1/notificacoes')
  for (const { id, destino } of canais)
    if (destino) await admin.expect(200, 'PATCH', `/api/v1/notificacoes/${id}`, { destino: 'https://127.0.0.1:1/a' })
}

/** `now` if a cloud whose clock stands there finds no work; else null. */
async function timeWithoutDueWork({ db }: Backstage, now: number): Promise<number | null> {
  const due = await db
    .selectFrom('trabalhos')
    .select('id')
    .where('estado', 'in', ['pronto', 'em_curso', 'recuo'])
    .where((eb) => eb.or([eb('em', 'is', null), eb('em', '<=', now), eb('estado', '=', 'em_curso')]))
    .executeTakeFirst()
  return due === undefined ? now : null
}

/** Sends every changing request of the API with the example of the reference, about records that stay. */
async function sendExamples(app: TestApp, records: OwnRecords, { admin }: Account): Promise<void> {
  const document = await fetchDocument(app)
  // The others end records, sessions or Empresas, or concern an edge.
  const changing = app.routes.filter(
    ({ method, path, acesso }) =>
      ['post', 'put', 'patch'].includes(method) && acesso !== 'edge' && !/logout|renovar|\/mcp|encerrar/.test(path),
  )
  for (const route of changing) {
    const body = bodyOf(document, route)
    const value = body && (await records.example(body.examples[0] ?? {}))
    const token = route.acesso === 'publico' ? null : admin.token
    await ask(`${app.url}${await records.path(route.path)}`, route.method, token, body, value)
  }
}

/** Events with both verdicts and without one, a clip, and a passage with pictures. */
async function addEventos(backstage: Backstage, empresaId: number): Promise<void> {
  const camera = await backstage.camera(empresaId)
  for (const decisao of ['refutado', null, 'confirmado'] as const) {
    const id = await backstage.event(camera, { confianca: 0.123456789012, camera_nome: 'Pátio – ação' })
    if (decisao !== null) await backstage.verdict(id, decisao)
    // Longer than one piece of a backup.
    if (decisao === 'confirmado') await backstage.clip(id, Buffer.alloc(2_500_000, 'clipe'))
  }
  await backstage.passagem(await backstage.gateCamera(empresaId))
}
