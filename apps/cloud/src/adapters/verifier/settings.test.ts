import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../config.ts'

const valuesOf = (env: Record<string, string>) => loadConfig(env).verificadores
const VLM = { VIGIA_VLM_URL: 'https://modelo.exemplo.com.br/v1', VIGIA_VLM_MODELO: 'qwen' }

describe('the chain', () => {
  it('is the local verifier alone without an endpoint', () => {
    expect(valuesOf({})).toEqual({ chain: ['local'], vlm: null })
  })

  it('adds the endpoint after the local verifier', () => {
    expect(valuesOf(VLM)).toMatchObject({ chain: ['local', 'vlm'], vlm: { modelo: 'qwen', chamadasMes: 1000 } })
  })

  it('can leave one out', () => {
    expect(valuesOf({ ...VLM, VIGIA_VERIFICADORES: 'local' })).toEqual({ chain: ['local'], vlm: null })
    expect(valuesOf({ ...VLM, VIGIA_VERIFICADORES: 'vlm' }).chain).toEqual(['vlm'])
  })

  it.each(['vlm,local', 'local,local', 'gpt', 'local,'])('rejects %s', (list) => {
    expect(() => valuesOf({ ...VLM, VIGIA_VERIFICADORES: list })).toThrow(/VIGIA_VERIFICADORES/)
  })
})

describe('the endpoint', () => {
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1:11434/v1',
    'http://192.168.0.9:8000/v1',
    'http://[fd00::1]/v1',
    'http://ollama:11434/v1',
    'http://gpu.local/v1',
  ])('accepts %s', (url) => {
    expect(valuesOf({ ...VLM, VIGIA_VLM_URL: url }).vlm?.url).toBe(url)
  })

  it.each([
    'http://modelo.exemplo.com.br/v1',
    'http://8.8.8.8/v1',
    'https://ana:segredo@modelo.exemplo.com.br/v1',
    'https://modelo.exemplo.com.br/v1?chave=segredo',
    'ftp://modelo.exemplo.com.br',
    'modelo',
  ])('rejects %s, without its value in the error', (url) => {
    const load = () => valuesOf({ ...VLM, VIGIA_VLM_URL: url })
    expect(load).toThrow(/VIGIA_VLM_URL/)
    expect(load).not.toThrow(/segredo/)
  })

  it('needs a model, and one source of the key', () => {
    expect(() => valuesOf({ VIGIA_VLM_URL: VLM.VIGIA_VLM_URL })).toThrow(/VIGIA_VLM_MODELO/)
    expect(() => valuesOf({ VIGIA_VERIFICADORES: 'local,vlm' })).toThrow(/VIGIA_VLM_URL/)
  })

  it('reads the key from a file, and prints it nowhere', () => {
    const file = join(temporaryFolder('vigia-chave-vlm-'), 'chave')
    writeFileSync(file, 'sk-segredo\n')
    const { vlm } = valuesOf({ ...VLM, VIGIA_VLM_CHAVE_ARQUIVO: file })
    expect(vlm?.chave?.reveal()).toBe('sk-segredo')
    expect(JSON.stringify(vlm) + inspect(vlm)).not.toContain('sk-segredo')
    const both = { ...VLM, VIGIA_VLM_CHAVE_ARQUIVO: file, VIGIA_VLM_CHAVE: 'sk-outra' }
    expect(() => valuesOf(both)).toThrow(/VIGIA_VLM_CHAVE_ARQUIVO/)
    expect(() => valuesOf({ ...VLM, VIGIA_VLM_CHAVE_ARQUIVO: `${file}-x` })).toThrow(/VIGIA_VLM_CHAVE_ARQUIVO/)
  })
})
