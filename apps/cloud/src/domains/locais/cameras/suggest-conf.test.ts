import type { SugestaoCalibracao } from '@vigia/contracts/sugestoes'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { type Reviewed, suggestConf } from './suggest-conf.ts'

const many = (n: number, confianca: number, real: boolean): Reviewed[] =>
  Array.from({ length: n }, () => ({ confianca, real }))
/** 40 real events, one of them weak, and 10 false ones, of which 9 are weak. */
const usual = [...many(39, 0.8, true), ...many(1, 0.5, true), ...many(9, 0.611, false), ...many(1, 0.9, false)]
const given = { precisao: 0.9, atual: 0.45, maximo: 1 }

describe('the suggested conf', () => {
  it('is the lowest value with the wanted precision', () => {
    expect(suggestConf(usual, given)).toEqual({
      conf: 0.62,
      precisao: 39 / 40,
      falsos_evitados: 9,
      verdadeiros_perdidos: 1,
    })
  })

  it('is never below the current one, whose weaker events do not count', () => {
    expect(suggestConf([...usual, ...many(100, 0.3, false)], given)).toMatchObject({ conf: 0.62 })
    expect(suggestConf(usual, { ...given, atual: 0.62 })).toBe('ja_cumpre')
  })

  it('is missing with few reviews, or where real events are as weak as false ones', () => {
    expect(suggestConf(usual.slice(25), given)).toBe('poucas_revisoes')
    expect(suggestConf([...many(20, 0.6, true), ...many(20, 0.6, false)], given)).toBe('sem_valor')
    expect(suggestConf([...many(30, 0.6, true), ...many(30, 0.6, false), ...many(9, 0.9, true)], given)).toBe(
      'sem_valor',
    )
    expect(suggestConf(usual, { ...given, maximo: 0.6 })).toBe('sem_valor')
  })
})

describe('GET /cameras/{id}/sugestao-calibracao', () => {
  let path: string

  const app = fixture(startTestApp)
  const backstage = fixture(() => openBackstage(app))
  const conta = fixture(() => app.account('Padaria'))
  const outra = fixture(() => app.account('Farmácia'))

  beforeAll(async () => {
    const camera = await backstage.camera(conta.empresaId)
    path = `/api/v1/cameras/${camera.cameraId}/sugestao-calibracao`
    // Reviewed by the database: 50 reviews by the API would take seconds.
    for (const { confianca, real } of usual) {
      const id = await backstage.event(camera, { confianca })
      const review = { revisao_rotulo: real ? 'confirmado' : 'refutado', revisado_em: id } as const
      await backstage.db.updateTable('eventos').set(review).where('id', '=', id).execute()
    }
  })

  const suggested = (query: string) => conta.admin.expect<SugestaoCalibracao>(200, 'GET', `${path}?${query}`)

  it('says in one sentence what the value would have changed', async () => {
    expect(await suggested('ia=invasao&precisao=0.9')).toEqual({
      ia: 'invasao',
      precisao: 0.9,
      conf_atual: 0.45,
      verdadeiros: 40,
      falsos: 10,
      motivo: null,
      sugestao: { conf: 0.62, precisao: 0.975, falsos_evitados: 9, verdadeiros_perdidos: 1 },
      frase: 'Com 0,62, 9 de 10 falsos alarmes não teriam vindo, e 1 de 40 verdadeiros também não.',
    })
  })

  it('says why there is none', async () => {
    expect(await suggested('ia=veiculo')).toMatchObject({
      sugestao: null,
      motivo: 'poucas_revisoes',
      frase: 'São precisas 30 revisões com a confiança de hoje (0,5); há 0.',
    })
    expect(await suggested('ia=invasao&precisao=0.7')).toMatchObject({ sugestao: null, motivo: 'ja_cumpre' })
    expect((await suggested('')).ia).toBe('invasao')
  })

  it('refuses an unknown IA, another precision, other roles and other accounts', async () => {
    const status = async (query: string, by = conta.admin) => (await by.send('GET', `${path}?${query}`)).status
    expect(await status('ia=xadrez')).toBe(422)
    expect(await status('ia=invasao&precisao=1')).toBe(422)
    expect(await status('ia=invasao', conta.usuario)).toBe(403)
    expect(await status('ia=invasao', outra.admin)).toBe(404)
  })
})
