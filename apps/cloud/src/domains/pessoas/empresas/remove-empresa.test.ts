import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { EmpresaRemovida } from '@vigia/contracts/empresas'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { authorizeAgent } from '../../../test/clients/oauth-flow.ts'
import { startQuiosque } from '../../../test/clients/quiosque.ts'
import { turnOn } from '../../../test/clients/second-factor.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const remove = (by: Client, id: number, body: object = { senha: SENHA }) =>
  by.send<EmpresaRemovida & { detail?: unknown }>('DELETE', `/api/v1/empresas/${id}`, body)
const status = async (...input: Parameters<typeof remove>) => (await remove(...input)).status
const exists = async (id: number) =>
  (await backstage.db.selectFrom('empresas').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
const gone = (id: number) => waitFor('the end of the removal', async () => !(await exists(id)))

/** Tables that keep rows of a deleted Empresa: the log, and the queue, whose items end on their own. */
const lasting = ['auditoria', 'trabalhos', 'turnos_trabalho']

/** Tables with rows of the Empresa. */
async function holding(empresaId: number): Promise<string[]> {
  const tables = await backstage.db.introspection.getTables()
  const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'empresa_id'))
  const found: string[] = []
  for (const { name } of owned) {
    const table = name as 'cameras'
    const row = await backstage.db.selectFrom(table).selectAll().where('empresa_id', '=', empresaId).executeTakeFirst()
    if (row) found.push(name)
  }
  return found.filter((name) => !lasting.includes(name))
}

const total = async () => (await app.operator.send('GET', '/api/v1/events?limit=1')).headers.get('x-total-count')

describe('the removal of an Empresa', () => {
  it('deletes access at once, and all its records and pictures, but not the audit log', async () => {
    const above = await app.account('Integradora')
    const other = await app.account('Vizinha', above.admin)
    const own = await app.account('Loja', above.admin)
    const { empresaId } = own
    const before = await total()
    await backstage.event(await backstage.camera(other.empresaId))
    const camera = await backstage.camera(empresaId)
    const paths: string[] = []
    for (let i = 0; i < 3; i += 1) {
      const id = await backstage.event(camera)
      const row = await backstage.db.selectFrom('eventos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      paths.push(row.crop_path ?? '', row.quadro_path ?? '')
      await backstage.verdict(id, i === 0 ? 'refutado' : 'confirmado')
      const review = { rotulo_humano: 'confirmado', revisor: 'ana' }
      if (i === 2) await own.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, review)
    }
    const { chave } = await own.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', {
      nome: 'ERP',
      escopo: 'leitura',
    })
    const maker = { username: `administrador-${empresaId}`, senha: SENHA }
    await startQuiosque(app.url, maker, { nome: 'Portaria', papel: 'usuario' })
    await own.admin.expect(201, 'POST', '/api/v1/convites', { papel: 'usuario' })
    const canal = { empresa_id: empresaId, destino: 'https://exemplo.com.br/aviso' }
    await own.admin.expect(201, 'POST', '/api/v1/notificacoes', canal)
    await own.admin.expect(201, 'POST', '/api/v1/gravadores', {
      fabricante: 'intelbras',
      host: '192.168.9.9',
      porta: 554,
      usuario: 'a',
      senha: 'b',
      nome: 'DVR',
    })
    const agent = await authorizeAgent(backstage, `administrador-${empresaId}`)
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${own.usuario.token}` })
    expect((await holding(empresaId)).length).toBeGreaterThan(8)

    const answer = await remove(above.admin, empresaId)
    expect([answer.status, answer.body]).toEqual([
      202,
      { empresa_id: empresaId, nome: 'Loja', pedida_em: expect.any(String) },
    ])
    await stream.ended
    for (const client of [own.admin, own.usuario, clientOf(app.url, chave)])
      expect((await client.send('GET', '/api/v1/cameras')).status).toBe(401)
    expect((await clientOf(app.url, agent).send('POST', '/mcp', {})).status).toBe(401)
    expect((await above.admin.send('GET', `/api/v1/empresas/${empresaId}`)).status).toBe(404)
    await gone(empresaId)
    expect(await holding(empresaId)).toEqual([])
    await waitFor('the deletion of the pictures', () =>
      paths.every((path) => !existsSync(join(app.dataDir, 'cloud/media', path))),
    )
    expect(await backstage.db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
    expect(Number(await total()) - Number(before)).toBe(1)
    expect((await other.admin.send('GET', '/api/v1/cameras')).status).toBe(200)

    const log = await above.admin.expect<RegistroAuditoria[]>(
      200,
      'GET',
      `/api/v1/auditoria?objeto=empresa&objeto_id=${empresaId}&acao=remover`,
    )
    expect(log).toMatchObject([
      { canal: 'sistema', objeto_nome: 'Loja', empresa_id: above.empresaId },
      { canal: 'api', username: `administrador-${above.empresaId}`, objeto_nome: 'Loja' },
    ])
    const kept = await app.operator.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=200')
    expect(kept.some(({ empresa_id }) => empresa_id === empresaId)).toBe(true)
  })

  it('belongs to those above, and waits for the Empresas below', async () => {
    const above = await app.account('Acima')
    const own = await app.account('Dentro', above.admin)
    const below = await app.account('Abaixo', own.admin)
    const { admin: foreign } = await app.account('De fora')
    expect(await status(own.admin, own.empresaId)).toBe(403)
    expect(await status(own.usuario, own.empresaId)).toBe(403)
    expect(await status(foreign, own.empresaId)).toBe(404)
    expect(await status(above.admin, 999_999)).toBe(404)
    expect(await status(above.admin, own.empresaId)).toBe(409)
    expect(await status(own.admin, below.empresaId)).toBe(202)
    await gone(below.empresaId)
    expect(await status(above.admin, own.empresaId)).toBe(202)
    await gone(own.empresaId)
    expect(await status(app.operator, above.empresaId, { senha: ADMIN.password })).toBe(202)
    await gone(above.empresaId)
  })

  it('asks for the password and the code of the second factor', async () => {
    const above = await app.account('Prova')
    const own = await app.account('Provada', above.admin)
    expect(await status(above.admin, own.empresaId, {})).toBe(422)
    const wrong = await remove(above.admin, own.empresaId, { senha: 'errada' })
    expect([wrong.status, wrong.body.detail]).toMatchObject([422, [{ loc: ['body', 'senha'] }]])
    const phone = await turnOn(app, above.admin)
    const without = await remove(above.admin, own.empresaId)
    expect([without.status, without.body.detail]).toMatchObject([422, [{ loc: ['body', 'codigo'] }]])
    expect(await exists(own.empresaId)).toBe(true)
    expect(await status(above.admin, own.empresaId, { senha: SENHA, codigo: phone.recuperacao[0] })).toBe(202)
    await gone(own.empresaId)
  })

  it('takes nothing new while it is under way', async () => {
    const above = await app.account('Espera')
    const own = await app.account('Marcada', above.admin)
    const { empresaId } = own
    await backstage.db.updateTable('empresas').set({ removida_em: 1 }).where('id', '=', empresaId).execute()
    const asked = [
      ['POST', '/api/v1/usuarios', { username: 'tarde', senha: SENHA, empresa_id: empresaId }],
      ['POST', '/api/v1/convites', { papel: 'usuario', empresa_id: empresaId }],
      ['POST', '/api/v1/chaves', { nome: 'x', escopo: 'leitura', empresa_id: empresaId }],
      ['POST', '/api/v1/cameras', { nome: 'x', rtsp_url: 'rtsp://192.168.9.8/1', empresa_id: empresaId }],
      ['DELETE', `/api/v1/empresas/${empresaId}`, { senha: SENHA }],
    ] as const
    for (const [method, path, body] of asked)
      expect([path, (await above.admin.send(method, path, body)).status]).toEqual([path, 404])
    expect((await app.operator.send('GET', `/api/v1/cameras?empresa_id=${empresaId}`)).status).toBe(404)
  })
})
