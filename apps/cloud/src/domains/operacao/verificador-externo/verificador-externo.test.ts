import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { UsoVerificadorExterno, VerificadorExterno } from '@vigia/contracts/verificador-externo'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../config.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { VLM_KEY } from '../../../test/stand-ins/openai-stand-in.ts'
import { createVlmAccount } from './vlm-account.ts'

const PATH = '/api/v1/verificador-externo'
const ENV = {
  VIGIA_VLM_URL: 'https://modelo.exemplo.com.br/v1',
  VIGIA_VLM_MODELO: 'qwen',
  VIGIA_VLM_CHAVE: VLM_KEY,
  VIGIA_VLM_PRECO_ENTRADA: '0.15',
  VIGIA_VLM_PRECO_SAIDA: '0.6',
  VIGIA_VLM_CHAMADAS_MES: '500',
}
const OFF = {
  ativo: false,
  servidor_aceito: null,
  chamadas: 0,
  chamadas_mes: 500,
  esgotado: false,
  sem_resposta: 0,
  tokens_entrada: 0,
  tokens_saida: 0,
  preco: 0,
  ultimo_erro: null,
}

const app = fixture(() => startTestApp(ENV))
const backstage = fixture(() => openBackstage(app))
const acima = fixture(() => app.account('Integradora'))
const loja = fixture(() => app.account('Loja', acima.admin))

const useOf = async (by: Client, empresaId = loja.empresaId) => {
  const { empresas } = await by.expect<VerificadorExterno>(200, 'GET', `${PATH}?empresa_id=${empresaId}`)
  return empresas[0]
}
const change = (by: Client, body: object, status = 200) =>
  by.expect<UsoVerificadorExterno>(status, 'PATCH', `${PATH}/${loja.empresaId}`, body)
const account = (env: Readonly<Record<string, string>> = ENV) =>
  createVlmAccount({ db: backstage.db, clock: app.clock, settings: loadConfig(env).verificadores.vlm })

describe('the switch', () => {
  it('is off at first, and shows where pictures would go, but no key', async () => {
    const seen = await loja.admin.expect<VerificadorExterno>(200, 'GET', PATH)
    expect(seen.servico).toEqual({ servidor: 'modelo.exemplo.com.br', modelo: 'qwen', moeda: 'USD' })
    expect(seen.empresas).toEqual([expect.objectContaining({ empresa_id: loja.empresaId, nome: 'Loja', ...OFF })])
    expect(JSON.stringify(seen)).not.toContain(VLM_KEY)
    expect(await account().refusal(loja.empresaId)).toBe('desligado')
  })

  it('is switched on by an administrador of the Empresa alone, and off by those above too', async () => {
    for (const by of [acima.admin, app.operator]) {
      const refused = await change(by, { ativo: true }, 403)
      expect(refused).toMatchObject({ detail: expect.stringContaining('própria Empresa') })
    }
    expect(await change(loja.admin, { ativo: true })).toMatchObject({
      ativo: true,
      servidor_aceito: 'modelo.exemplo.com.br',
    })
    expect(await account().refusal(loja.empresaId)).toBeNull()
    // Neither the Empresa above nor another one is switched on with it.
    expect(await account().refusal(acima.empresaId)).toBe('desligado')
    for (const by of [acima.admin, app.operator]) {
      await change(loja.admin, { ativo: true })
      expect(await change(by, { ativo: false })).toMatchObject({ ativo: false, servidor_aceito: null })
    }
    const [record] = await loja.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=empresa')
    expect(record).toMatchObject({
      acao: 'alterar',
      objeto_id: loja.empresaId,
      antes: { verificador_externo: 'modelo.exemplo.com.br' },
      depois: { verificador_externo: null },
    })
  })

  it('does not hold for another server that the operator configures later', async () => {
    await change(loja.admin, { ativo: true })
    const moved = account({ ...ENV, VIGIA_VLM_URL: 'https://outro.exemplo.com.br/v1' })
    expect(await moved.refusal(loja.empresaId)).toBe('desligado')
    expect(await moved.reserve(loja.empresaId)).toBe('desligado')
    await change(loja.admin, { ativo: false })
  })

  it('is refused for other roles, keys and Empresas, and for unknown fields', async () => {
    const outra = await app.account('Farmácia')
    await loja.usuario.expect(403, 'GET', PATH)
    await change(loja.usuario, { ativo: true }, 403)
    await outra.admin.expect(404, 'GET', `${PATH}?empresa_id=${loja.empresaId}`)
    await change(outra.admin, { ativo: true }, 404)
    await change(loja.admin, { ligado: true }, 422)
    expect(await useOf(app.operator)).toMatchObject({ ativo: false })
  })

  it('says that nothing is configured, and cannot be switched on then', async () => {
    const plain = await startTestApp()
    const { admin, empresaId } = await plain.account('Padaria')
    expect(await admin.expect(200, 'GET', PATH)).toMatchObject({ servico: null, empresas: [{ ativo: false }] })
    const refused = await admin.expect(409, 'PATCH', `${PATH}/${empresaId}`, { ativo: true })
    expect(refused).toMatchObject({ detail: expect.stringContaining('não configurou') })
    await admin.expect(200, 'PATCH', `${PATH}/${empresaId}`, { ativo: false })
    await plain.stop()
  })
})

describe('the budget', () => {
  it('is changed by the operator alone; null restores the default', async () => {
    for (const by of [loja.admin, acima.admin]) await change(by, { chamadas_mes: 9_999 }, 403)
    expect(await change(app.operator, { chamadas_mes: 2 })).toMatchObject({ chamadas_mes: 2 })
    expect(await change(app.operator, { chamadas_mes: null })).toMatchObject({ chamadas_mes: 500 })
    await change(app.operator, { chamadas_mes: -1 }, 422)
  })

  it('counts calls before they are made, with tokens, price and the last error', async () => {
    await change(app.operator, { chamadas_mes: 2 })
    await change(loja.admin, { ativo: true })
    const calls = await Promise.all(Array.from({ length: 6 }, () => account().reserve(loja.empresaId)))
    const reserved = calls.flatMap((each) => (typeof each === 'string' ? [] : [each]))
    expect(reserved).toHaveLength(2)
    expect(calls.filter((each) => each === 'esgotado')).toHaveLength(4)
    await reserved[0]?.settle({ erro: null, tokensEntrada: 1_000, tokensSaida: 20 })
    await reserved[1]?.settle({ erro: 'tempo', tokensEntrada: 0, tokensSaida: 0 })
    expect(await useOf(loja.admin)).toMatchObject({
      chamadas: 2,
      esgotado: true,
      sem_resposta: 1,
      tokens_entrada: 1_000,
      tokens_saida: 20,
      preco: 0.000162,
      ultimo_erro: { codigo: 'tempo', frase: expect.stringContaining('não respondeu a tempo') },
    })
    expect(await account().refusal(loja.empresaId)).toBe('esgotado')
    expect(await useOf(acima.admin, acima.empresaId)).toMatchObject({ chamadas: 0 })
  })

  it('begins again with the month of the time zone of the Empresa', async () => {
    const { mes } = (await useOf(loja.admin)) ?? { mes: '' }
    expect(mes).toMatch(/^\d{4}-\d{2}$/)
    app.clock.advance(32 * 86_400_000)
    const next = await useOf(await app.signIn(`administrador-${loja.empresaId}`))
    expect(next?.mes).not.toBe(mes)
    expect(next).toMatchObject({ chamadas: 0, esgotado: false, ativo: true, chamadas_mes: 2 })
    expect(await account().refusal(loja.empresaId)).toBeNull()
  })
})
