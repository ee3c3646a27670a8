import type { Camera } from '@vigia/contracts/cameras'
import type { ResultadoCadastro } from '@vigia/contracts/gravadores'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = freshFixture(() => app.account('Própria'))
const path = '/api/v1/cameras'
const rtsp_url = 'rtsp://ana:segredo@127.0.0.9:554/1'

const create = (body: object = {}) => own.admin.expect<Camera>(201, 'POST', path, { nome: 'Portão', rtsp_url, ...body })
const patch = (id: number, body: object) => own.admin.expect<Camera>(200, 'PATCH', `${path}/${id}`, body)
/** Both forms of the one state. */
const stateOf = ({ eventos_habilitados, modo_b_config }: Camera) => [
  eventos_habilitados.includes('placa'),
  modo_b_config?.ativo ?? false,
]
const [ON, OFF] = [
  [true, true],
  [false, false],
]

describe('plates of a camera are one state', () => {
  it('a change of either form changes both, and keeps the other settings', async () => {
    const { id } = await create()
    const on = await patch(id, { eventos_habilitados: ['invasao', 'placa'] })
    expect(stateOf(on)).toEqual(ON)
    expect(on.modo_b_config).toMatchObject({ ativo: true, conf_placa: 0.8, regiao: [] })
    const off = await patch(id, { modo_b_config: { ativo: false, conf_placa: 0.9, local: 'Garagem' } })
    expect(off.eventos_habilitados).toEqual(['invasao'])
    expect(stateOf(off)).toEqual(OFF)
    const again = await patch(id, { ias_habilitadas: ['placa', 'invasao'] })
    expect(again).toMatchObject({ eventos_habilitados: ['placa', 'invasao'], modo_b_config: { conf_placa: 0.9 } })
    expect(stateOf(again)).toEqual(ON)
    expect(stateOf(await patch(id, { modo_b_config: null }))).toEqual(OFF)
    expect(stateOf(await patch(id, { modo_b_config: { ativo: true } }))).toEqual(ON)
    expect(stateOf(await patch(id, { eventos_habilitados: null }))).toEqual(OFF)
  })

  it('both forms in one request must agree', async () => {
    const { id } = await create()
    for (const body of [
      { eventos_habilitados: ['placa'], modo_b_config: { ativo: false } },
      { eventos_habilitados: ['invasao'], modo_b_config: { ativo: true } },
      { ias_habilitadas: ['placa'], modo_b_config: null },
      { eventos_habilitados: null, modo_b_config: { ativo: true } },
    ]) {
      const { body: answer, status } = await own.admin.send<{ detail: { loc: string[]; msg: string }[] }>(
        'PATCH',
        `${path}/${id}`,
        body,
      )
      expect([status, answer.detail[0]?.loc]).toEqual([422, ['body', 'modo_b_config', 'ativo']])
      expect(answer.detail[0]?.msg).toMatch(/mesma coisa/)
    }
    const both = { eventos_habilitados: ['placa'], modo_b_config: { ativo: true } }
    expect(stateOf(await patch(id, both))).toEqual(ON)
  })

  it('a new camera reads plates only if it is named', async () => {
    expect(stateOf(await create({ eventos_habilitados: ['placa'] }))).toEqual(ON)
    expect(stateOf(await create({ placas: true }))).toEqual(ON)
    for (const nome of nomesPerfis) {
      const camera = await create({ perfil: nome })
      expect(stateOf(camera)).toEqual(OFF)
      expect(camera.eventos_habilitados).toEqual(perfil(nome).ias.filter((ia) => ia !== 'placa'))
    }
    const gate = await create({ perfil: 'condominio', placas: true })
    expect(stateOf(gate)).toEqual(ON)
    expect(gate.eventos_habilitados.toSorted()).toEqual([...perfil('condominio').ias].toSorted())
    for (const body of [
      { eventos_habilitados: ['placa'], placas: false },
      { eventos_habilitados: ['invasao'], placas: true },
    ])
      await own.admin.expect(422, 'POST', path, { nome: 'Portão', rtsp_url, ...body })
  })

  it('a registration with a Perfil of plates names the canais that read them', async () => {
    const done = await own.admin.expect<ResultadoCadastro>(201, 'POST', '/api/v1/gravadores/cadastrar', {
      fabricante: 'intelbras',
      host: '127.0.0.9',
      porta: 554,
      usuario: 'admin',
      senha: 'segredo',
      num_canais: 4,
      empresa_id: own.empresaId,
      perfil: 'estacionamento',
      canais: [
        1,
        { canal: 2, placas: true },
        { canal: 3, perfil: 'residencia', placas: true },
        { canal: 4, placas: false },
      ],
    })
    expect(done.cameras.map(stateOf)).toEqual([OFF, ON, ON, OFF])
  })
})
