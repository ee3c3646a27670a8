import type { Camera } from '@vigia/contracts/cameras'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { CanalCriado, CanalNotificacao } from '@vigia/contracts/notificacoes'
import { fixture } from '@vigia/testing/fixture'
import { newPushBrowser, startPushService } from '@vigia/testing/push-service'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { openBackstage } from '../test/clouds/backstage.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { ORIGIN } from '../test/records/attachments.ts'
import { startNotificationServices } from '../test/stand-ins/notification-services.ts'

/** One night at a gate: a blocked car between two others, then a fire among intrusions. */
const UNKNOWN = 'XYZ9A87'
const ALLOWED = 'ABC1D23'
const BLOCKED = 'FUR7A00'
const MAIL = 'gerente@exemplo.com.br'

const services = fixture(startNotificationServices)
const app = fixture(() => startTestApp({ ...services.env, VIGIA_URL_PUBLICA: ORIGIN }))
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Padaria'))
const pushService = fixture(startPushService)
const browser = fixture(async () => {
  const { chave_publica } = await own.admin.expect<{ chave_publica: string }>(200, 'GET', '/api/v1/push')
  const opened = newPushBrowser(pushService)
  await own.admin.expect(201, 'POST', '/api/v1/me/inscricoes', opened.subscription({}))
  return { received: () => pushService.received.map((message) => opened.read(message, chave_publica)) }
})
const canal = fixture(() =>
  own.admin.expect<CanalCriado>(201, 'POST', '/api/v1/notificacoes', {
    empresa_id: own.empresaId,
    tipo: 'email',
    destino: MAIL,
    agrupar: true,
    continuacao: 'fim',
    placas: true,
  }),
)
const open = () => own.admin.expect<Incidente[]>(200, 'GET', '/api/v1/incidentes?limit=50')
const delivered = (count: number) =>
  waitFor(`${count} mails`, async () => {
    const { entregas } = await own.admin.expect<CanalNotificacao>(200, 'GET', `/api/v1/notificacoes/${canal.id}`)
    return entregas.entregues === count
  })
const subjectOf = ({ headers }: (typeof services.smtp.mails)[number]) => new Map(headers).get('subject')
const mails = () => services.smtp.mails.filter(({ to }) => to.includes(MAIL))

it('a blocked car within a minute of two others is an alarm of its own, with its plate', async () => {
  expect(canal.id).toBeGreaterThan(0)
  expect(browser.received()).toEqual([])
  const gate = await backstage.camera(own.empresaId)
  const modo_b_config = { ativo: true, alertar_desconhecidas: true, alertar_permitidas: true }
  await own.admin.expect<Camera>(200, 'PATCH', `/api/v1/cameras/${gate.cameraId}`, { modo_b_config })
  const listed = { dono: 'Morador do 42', nota: 'Furtada em maio' }
  await own.admin.expect(201, 'POST', '/api/v1/placas', { placa: ALLOWED, lista: 'permitida', dono: 'Portaria' })
  await own.admin.expect(201, 'POST', '/api/v1/placas', { placa: BLOCKED, lista: 'bloqueada', ...listed })

  const now = app.clock.now()
  for (const [index, placa] of [UNKNOWN, ALLOWED, BLOCKED].entries()) {
    const reading = { placa, pais: 'BR', forma: 'mercosul', confianca: 0.95 } as const
    const passagem = await backstage.passagem(gate, { ocorrido_em: now + index * 20_000, placa: reading })
    const row = await backstage.db
      .selectFrom('passagens')
      .select('evento_id')
      .where('id', '=', passagem)
      .executeTakeFirst()
    await backstage.verdict(row?.evento_id ?? 0, 'confirmado')
  }
  await delivered(3)

  const incidentes = await open()
  expect(incidentes.map(({ gravidade, eventos, placa }) => [gravidade, eventos, placa?.texto, placa?.lista])).toEqual([
    ['alta', 1, BLOCKED, 'bloqueada'],
    ['baixa', 1, ALLOWED, 'permitida'],
    ['media', 1, UNKNOWN, 'desconhecida'],
  ])
  expect(incidentes[0]?.placa).toMatchObject(listed)
  expect(mails().map(subjectOf)).toEqual([
    '[Vigia] Placa desconhecida: Portão (Padaria)',
    '[Vigia] Placa permitida: Portão (Padaria)',
    '[Vigia] Placa bloqueada: Portão (Padaria)',
  ])
  expect(mails().at(-1)?.text).toContain(
    `O que foi visto: Placa bloqueada\r\nPlaca: ${BLOCKED}\r\nLista: bloqueada\r\nDono: ${listed.dono}\r\n` +
      `Nota da placa: ${listed.nota}\r\nGravidade: Alta`,
  )
  const pushes = await waitFor('three messages', () => browser.received().length === 3 && browser.received())
  expect(pushes.map(({ titulo, gravidade }) => [titulo, gravidade])).toEqual([
    ['Placa desconhecida: Portão', 'media'],
    ['Placa permitida: Portão', 'baixa'],
    ['Placa bloqueada: Portão', 'alta'],
  ])
  expect(pushes[2]?.corpo).toMatch(`${BLOCKED}, ${listed.dono}, ${listed.nota}, Padaria, `)
})

it('a fire after ten intrusions is an alarm of its own, and theirs does not grow any more', async () => {
  const yard = await backstage.camera(own.empresaId)
  const now = app.clock.now()
  const report = async (atS: number, change: Parameters<typeof backstage.event>[1] = {}) => {
    const id = await backstage.event(yard, { ocorrido_em: now + atS * 1000, ...change })
    await backstage.verdict(id, 'confirmado')
    return id
  }
  for (let n = 0; n < 10; n += 1) await report(n)
  const fire = await report(10, { tipo: 'fogo', gravidade: 'critica', rotulos_json: '["fire"]' })
  await report(11)
  await delivered(5)
  const found = (await open()).filter(({ camera_id }) => camera_id === yard.cameraId)
  expect(
    found.map(({ gravidade, tipos, eventos, capa_evento_id }) => [gravidade, tipos, eventos, capa_evento_id]),
  ).toEqual([
    ['critica', ['fogo', 'invasao'], 2, fire],
    ['alta', ['invasao'], 10, expect.any(Number)],
  ])
  // One mail and one message for each alarm, not one for each of the twelve events.
  expect(mails().slice(3).map(subjectOf)).toEqual([
    '[Vigia] Invasão: Portão (Padaria)',
    '[Vigia] Fogo: Portão (Padaria)',
  ])
  const pushes = await waitFor('two more messages', () => browser.received().length >= 5 && browser.received())
  expect(pushes.slice(3).map(({ titulo, gravidade }) => [titulo, gravidade])).toEqual([
    ['Invasão: Portão', 'alta'],
    ['Fogo: Portão', 'critica'],
  ])
})
