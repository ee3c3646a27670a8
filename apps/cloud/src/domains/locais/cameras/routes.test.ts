import { calibracaoPadrao } from '@vigia/contracts/ias'
import type { Perfil } from '@vigia/contracts/perfis'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const foreign = fixture(() => app.account('Alheia'))
const own = freshFixture(() => app.account('Própria'))

const path = '/api/v1/cameras'
const URL_MAIN = 'rtsp://ana:s3nh%40@127.0.0.9:554/cam/realmonitor?channel=1&subtype=0'
const MASKED = 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=1&subtype=0'
interface Camera {
  id: number
  rtsp_url: string
  sub_rtsp_url: string | null
  [field: string]: unknown
}
interface Problems {
  detail: { loc: (string | number)[]; type: string }[]
}

const create = (body: object = {}, by = own.admin) =>
  by.expect<Camera>(201, 'POST', path, { nome: 'Portão', rtsp_url: URL_MAIN, ...body })
const patch = (id: number, body: object) => own.admin.expect<Camera>(200, 'PATCH', `${path}/${id}`, body)
const problems = async (method: string, where: string, body: object) => {
  const answer = await own.admin.send<Problems>(method, where, body)
  return [answer.status, ...answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)]
}

describe('create', () => {
  it('returns every field with defaults and a masked password', async () => {
    const camera = await create()
    expect(camera).toEqual({
      id: expect.any(Number),
      nome: 'Portão',
      empresa_id: own.empresaId,
      edge_id: null,
      gravador_id: null,
      canal: null,
      rtsp_url: MASKED,
      sub_rtsp_url: null,
      perfil: null,
      eventos_habilitados: ['invasao'],
      ias_habilitadas: ['invasao'],
      config_ia: {},
      zonas: [],
      nomes_zonas: [],
      linha: [],
      imagem_inteira: false,
      mascaras: [],
      gravacao_continua: false,
      audio: false,
      transporte: 'automatico',
      agenda: {},
      horarios: { feriados: null },
      ativa: true,
      modo_b_config: null,
      instrucoes: [],
      silencio: null,
      status: 'offline',
      status_detalhe: expect.stringContaining('Nenhuma caixa'),
      ultimo_frame_em: null,
      codec: null,
      resolucao: null,
      fps: null,
      quadro_chave_s: null,
      sem_quadro_chave_s: null,
      taxa_kbps: null,
      criada_em: expect.stringMatching(/Z$/),
      atualizada_em: camera.criada_em,
    })
    expect(await own.usuario.expect(200, 'GET', `${path}/${camera.id}`)).toEqual(camera)
  })

  it('applies IAs, calibration and Agenda of a Perfil; explicit IAs take precedence', async () => {
    const byPerfil = await create({ perfil: 'obra' })
    expect(byPerfil).toMatchObject({
      perfil: 'obra',
      eventos_habilitados: ['epi', 'invasao', 'veiculo', 'camera_obstruida'],
      config_ia: { epi: { conf: 0.5, exigir_capacete: true, exigir_colete: true } },
      agenda: { invasao: { inicio: 18, fim: 7, dias: [] } },
    })
    expect(await create({ perfil: 'obra', eventos_habilitados: ['fogo'] })).toMatchObject({
      perfil: 'obra',
      ias_habilitadas: ['fogo'],
      config_ia: { epi: { conf: 0.5 } },
    })
    expect(await create({ ias_habilitadas: [] })).toMatchObject({ eventos_habilitados: [] })
  })

  it('accepts both names of an IA', async () => {
    expect(await create({ eventos_habilitados: ['fogo'], ias_habilitadas: ['fogo'] })).toBeTruthy()
    const different = { nome: 'a', rtsp_url: URL_MAIN, eventos_habilitados: ['fogo'], ias_habilitadas: ['epi'] }
    expect(await problems('POST', path, different)).toEqual([422, 'body.ias_habilitadas value_error'])
  })

  it.each([
    [{ rtsp_url: 'http://127.0.0.9/' }, 'body.rtsp_url value_error'],
    [{ rtsp_url: 'rtsp:///caminho' }, 'body.rtsp_url value_error'],
    [{ rtsp_url: 'rtsp://ana:s3gr@edo/x?y@127.0.0.1:1/x' }, 'body.rtsp_url value_error'],
    [{ rtsp_url: 'rtsp://ana:cerca#1@127.0.0.1/1' }, 'body.rtsp_url value_error'],
    [{ rtsp_url: 'rtsp://127.0.0.9/1\r\nSET x' }, 'body.rtsp_url string_pattern_mismatch'],
    [{ sub_rtsp_url: 'rtsp://ana:duas palavras@127.0.0.9/1' }, 'body.sub_rtsp_url string_pattern_mismatch'],
    [{ rtsp_url: MASKED }, 'body.rtsp_url value_error'],
    [{ sub_rtsp_url: MASKED }, 'body.sub_rtsp_url value_error'],
    [{ nome: '' }, 'body.nome string_too_short'],
    [{ perfil: 'castelo' }, 'body.perfil enum'],
    [{ eventos_habilitados: ['nada'] }, 'body.eventos_habilitados.0 enum'],
    [{ eventos_habilitados: ['fogo', 'fogo'] }, 'body.eventos_habilitados value_error'],
    [{ empresa_id: '1' }, 'body.empresa_id int_type'],
  ])('refuses %j', async (field, problem) => {
    expect(await problems('POST', path, { nome: 'a', rtsp_url: URL_MAIN, ...field })).toEqual([422, problem])
  })

  it('requires empresa_id from the operator and an Empresa in scope from all callers', async () => {
    const body = { nome: 'a', rtsp_url: URL_MAIN }
    const answer = await app.operator.send<Problems>('POST', path, body)
    expect([answer.status, answer.body.detail[0]]).toMatchObject([
      422,
      { loc: ['body', 'empresa_id'], type: 'missing' },
    ])
    expect(await create({ empresa_id: own.empresaId }, app.operator)).toMatchObject({ empresa_id: own.empresaId })
    for (const [by, empresa_id] of [
      [own.admin, foreign.empresaId],
      [app.operator, 999_999],
    ] as const)
      expect((await by.send('POST', path, { ...body, empresa_id })).status).toBe(404)
  })

  it('respects the quota under concurrent requests', async () => {
    const many = Array.from({ length: 70 }, (_, i) =>
      own.admin.send('POST', path, { nome: `c${i}`, rtsp_url: 'rtsp://127.0.0.1/' }),
    )
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(64)
    expect(statuses.filter((status) => status === 409)).toHaveLength(6)
  })
})

describe('scope', () => {
  it('answers for cameras out of scope as for missing ones', async () => {
    const { id } = await create({}, foreign.admin)
    const missing = await own.admin.send('GET', `${path}/999999`)
    for (const [method, where] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/calibracao'],
      ['GET', '/geometria'],
      ['PATCH', '/geometria'],
      ['GET', '/mascaras'],
      ['GET', '/gravacao-continua'],
      ['GET', '/audio'],
      ['GET', '/transporte'],
      ['GET', '/agenda'],
    ] as const) {
      const answer = await own.admin.send(
        method,
        `${path}/${id}${where}`,
        method === 'PATCH' ? (where === '' ? { nome: 'x' } : { nomes_zonas: [] }) : undefined,
      )
      expect([method, where, answer.status, answer.body]).toEqual([method, where, 404, missing.body])
    }
    expect(await own.admin.expect(200, 'GET', path)).toEqual([])
    expect((await own.admin.send('GET', `${path}?empresa_id=${foreign.empresaId}`)).status).toBe(404)
  })

  it('includes descendant accounts, but no ancestors or siblings', async () => {
    const child = await app.account('Abaixo', own.admin)
    const [mine, below] = [await create(), await create({}, child.admin)]
    const list = async (by: typeof own.admin, query = '') =>
      (await by.expect<Camera[]>(200, 'GET', `${path}${query}`)).map(({ id }) => id)
    expect(await list(own.admin)).toEqual([mine.id, below.id])
    expect(await list(own.admin, `?empresa_id=${child.empresaId}`)).toEqual([below.id])
    expect(await list(own.usuario)).toEqual([mine.id])
    expect(await list(child.admin)).toEqual([below.id])
    await patch(below.id, { nome: 'Mudada de cima' })
    expect((await child.admin.send('GET', `${path}/${mine.id}`)).status).toBe(404)
  })

  it('counts the active cameras in scope', async () => {
    const { id } = await create()
    await create()
    await patch(id, { ativa: false })
    expect(await own.usuario.expect(200, 'GET', '/api/v1/cameras-count')).toEqual({ count: 1 })
    const narrowed = `/api/v1/cameras-count?empresa_id=${own.empresaId}`
    expect(await app.operator.expect(200, 'GET', narrowed)).toEqual({ count: 1 })
  })
})

describe('patch', () => {
  it('changes only the given fields', async () => {
    const before = await create({ perfil: 'residencia' })
    app.clock.advance(1000)
    const after = await patch(before.id, {
      nome: 'Fundos',
      zonas: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    })
    const expected = {
      ...before,
      nome: 'Fundos',
      nomes_zonas: [null],
      zonas: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    }
    expect(after).toEqual({ ...expected, atualizada_em: after.atualizada_em })
    expect(Date.parse(String(after.atualizada_em))).toBeGreaterThan(Date.parse(String(before.atualizada_em)))
    expect(await patch(before.id, {})).toEqual(after)
  })

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create()
    await Promise.all([
      patch(id, { nome: 'Novo' }),
      patch(id, { instrucoes: ['olhe'] }),
      patch(id, { agenda: { invasao: { inicio: 1, fim: 2 } } }),
      patch(id, { ativa: false }),
    ])
    expect(await own.admin.expect(200, 'GET', `${path}/${id}`)).toMatchObject({
      nome: 'Novo',
      instrucoes: ['olhe'],
      agenda: { invasao: { inicio: 1, fim: 2, dias: [] } },
      ativa: false,
      status: 'desativada',
    })
  })

  it('keeps one of two concurrent values of one field', async () => {
    const { id } = await create()
    const other = await app.signIn(`administrador-${own.empresaId}`)
    for (let round = 0; round < 5; round += 1) {
      const names = [`A${round}`, `B${round}`]
      const [a, b] = await Promise.all([
        own.admin.send('PATCH', `${path}/${id}`, { nome: names[0], rtsp_url: `rtsp://ana:a${round}@127.0.0.9/1` }),
        other.send('PATCH', `${path}/${id}`, {
          nome: names[1],
          sub_rtsp_url: `rtsp://ana:b${round}@127.0.0.9/${round}`,
        }),
      ])
      expect([a.status, b.status]).toEqual([200, 200])
      const after = await own.admin.expect<Camera>(200, 'GET', `${path}/${id}`)
      expect(names).toContain(after.nome)
      // Both addresses are stored together: neither reverts the other.
      expect([after.rtsp_url, after.sub_rtsp_url]).toEqual([
        'rtsp://ana:****@127.0.0.9/1',
        `rtsp://ana:****@127.0.0.9/${round}`,
      ])
    }
  })

  it('clears lists and objects with null and keeps the rest', async () => {
    const { id } = await create({ perfil: 'obra', sub_rtsp_url: URL_MAIN })
    const emptied = await patch(id, {
      nome: null,
      rtsp_url: null,
      ativa: null,
      sub_rtsp_url: null,
      zonas: null,
      linha: null,
      eventos_habilitados: null,
      config_ia: null,
      agenda: null,
      instrucoes: null,
      modo_b_config: null,
    })
    const gone = { sub_rtsp_url: null, zonas: [], linha: [], ias_habilitadas: [], config_ia: {}, agenda: {} }
    expect(emptied).toMatchObject({ nome: 'Portão', rtsp_url: MASKED, ativa: true, instrucoes: [], ...gone })
  })

  it('keeps the geometry in its given form', async () => {
    const { id } = await create()
    for (const geometria of [
      { zonas: [[0, 0, 1, 0, 1, 1]], nomes_zonas: [null], linha: [[0, 0.5, 1, 0.5]] },
      {
        zonas: [
          [0.1, 0.1],
          [0.9, 0.1],
          [0.5, 0.9],
        ],
        nomes_zonas: [null],
        linha: [
          [0, 0.5],
          [1, 0.5],
        ],
      },
    ]) {
      await patch(id, { zonas: geometria.zonas, linha: geometria.linha })
      expect(await own.usuario.expect(200, 'GET', `${path}/${id}/geometria`)).toEqual({
        ...geometria,
        imagem_inteira: false,
      })
    }
  })

  it('keeps the password of a masked URL, even with another host', async () => {
    const { id } = await create({ sub_rtsp_url: 'rtsp://ana:outra@127.0.0.9/sub' })
    const same = await patch(id, { rtsp_url: MASKED, sub_rtsp_url: 'rtsp://ana:****@127.0.0.9/sub' })
    expect([same.rtsp_url, same.sub_rtsp_url]).toEqual([MASKED, 'rtsp://ana:****@127.0.0.9/sub'])
    const moved = await patch(id, { rtsp_url: 'rtsp://ana:****@127.0.0.77/outro' })
    expect(moved.rtsp_url).toBe('rtsp://ana:****@127.0.0.77/outro')
    const { id: open } = await create({ rtsp_url: 'rtsp://127.0.0.9/1' })
    expect(await problems('PATCH', `${path}/${open}`, { rtsp_url: MASKED })).toEqual([422, 'body.rtsp_url value_error'])
  })

  it.each([
    [{ empresa_id: 1, id: 2 }, 'body.empresa_id extra_forbidden', 'body.id extra_forbidden'],
    [{ config_ia: { invasao: { conf: 2 } } }, 'body.config_ia.invasao.conf less_than_equal'],
    [{ agenda: { invasao: { inicio: 24, fim: 1 } } }, 'body.agenda.invasao.inicio less_than_equal'],
    [
      {
        zonas: [
          [0, 0],
          [1, 1, 0, 0, 1, 0],
        ],
      },
      'body.zonas value_error',
    ],
    [{ linha: [[0, 0]] }, 'body.linha value_error'],
    [{ ativa: 1 }, 'body.ativa bool_type'],
    [{ instrucoes: [''] }, 'body.instrucoes.0 string_too_short'],
  ])('refuses %j', async (body, ...expected) => {
    const { id } = await create()
    expect(await problems('PATCH', `${path}/${id}`, body)).toEqual([422, ...expected])
  })
})

it('shows the stored and the effective calibration', async () => {
  const { id } = await create()
  await patch(id, { config_ia: { invasao: { conf: 0.9 } } })
  const view = await own.usuario.expect<{ salva: object; efetiva: object }>(200, 'GET', `${path}/${id}/calibracao`)
  expect(view.salva).toEqual({ invasao: { conf: 0.9 } })
  expect(view.efetiva).toMatchObject({ invasao: { conf: 0.9, min_quadros: 3 }, fogo: { conf: 0.5 } })
})

it('shows the Agenda', async () => {
  const { id } = await create({ perfil: 'deposito' })
  expect(await own.usuario.expect(200, 'GET', `${path}/${id}/agenda`)).toMatchObject({
    invasao: { inicio: 18, fim: 6 },
  })
})

it('deletes once and never reuses the id', async () => {
  const { id } = await create()
  expect((await own.admin.send('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await own.admin.send('DELETE', `${path}/${id}`)).status).toBe(404)
  expect((await own.admin.send('GET', `${path}/${id}`)).status).toBe(404)
  expect((await create()).id).toBeGreaterThan(id)
})

it('normalizes plates and refuses one that is both allowed and blocked', async () => {
  const { id } = await create()
  const lists = { permitidas: ['abc-1234', 'BRA2E19'], bloqueadas: ['xyz 9876'] }
  const changed = await own.admin.expect<Camera>(200, 'PATCH', `/api/v1/cameras/${id}`, {
    modo_b_config: { ativo: true, ...lists },
  })
  expect(changed.modo_b_config).toMatchObject({ permitidas: ['ABC1234', 'BRA2E19'], bloqueadas: ['XYZ9876'] })
  const many = Array.from({ length: 199 }, (_, at) => `AAA${1_000 + at}`)
  for (const bloqueadas of [['ABC-1234'], ['AB12'], many])
    await own.admin.expect(422, 'PATCH', `/api/v1/cameras/${id}`, {
      modo_b_config: { ativo: true, permitidas: lists.permitidas, bloqueadas },
    })
})

it('lists Perfis and templates that creation accepts', async () => {
  const perfis = await own.usuario.expect<Perfil[]>(200, 'GET', '/api/v1/calibracao/perfis')
  for (const { ias, config_ia } of perfis) {
    expect(Object.keys(config_ia)).toEqual(ias)
    for (const ia of ias) expect(Object.keys(config_ia[ia] ?? {})).toEqual(Object.keys(calibracaoPadrao[ia]))
  }
  expect(perfis.map(({ nome }) => nome)).toContain('residencia')
  for (const { nome } of perfis) expect(await create({ perfil: nome })).toMatchObject({ perfil: nome })
  const templates = await own.usuario.expect<{ padrao: object; templates: object[] }>(
    200,
    'GET',
    '/api/v1/calibracao/templates',
  )
  expect(templates.padrao).toMatchObject({ invasao: { conf: 0.45 } })
  expect(templates.templates).toHaveLength(perfis.length)
})
