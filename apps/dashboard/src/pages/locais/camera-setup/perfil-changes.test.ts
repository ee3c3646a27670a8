import { agendaSchema } from '@vigia/contracts/agenda'
import { configIaSchema } from '@vigia/contracts/calibracao'
import { nomesIas } from '@vigia/contracts/ias'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { describe, expect, it } from 'vitest'
import { applyPerfil, iaChanges } from './perfil-changes.ts'

const camera = {
  eventos_habilitados: ['invasao', 'veiculo'] as ('invasao' | 'veiculo')[],
  config_ia: { invasao: { conf: 0.9 }, veiculo: { conf: 0.7 } },
  agenda: { veiculo: { inicio: 8, fim: 18, dias: [] } },
}

describe('a Perfil', () => {
  it.each(nomesPerfis)('%s applied twice changes nothing the second time', (nome) => {
    const patch = applyPerfil(camera, perfil(nome), true)
    expect(configIaSchema.parse(patch.config_ia)).toEqual(patch.config_ia)
    expect(agendaSchema.parse(patch.agenda)).toEqual(patch.agenda)
    const after = { ...camera, ...patch } as Parameters<typeof iaChanges>[0]
    expect(iaChanges(after, applyPerfil(after, perfil(nome), true))).toEqual([])
    expect(new Set(patch.eventos_habilitados)).toEqual(new Set([...perfil(nome).ias, 'placa']))
  })

  it('replaces the settings of its IAs, and keeps those of the IAs that it switches off', () => {
    const patch = applyPerfil(camera, perfil('residencia'), false)
    expect(patch.config_ia?.invasao?.conf).toBe(0.5)
    expect(patch.config_ia?.veiculo).toEqual({ conf: 0.7 })
    expect(patch.agenda).toEqual({ invasao: { inicio: 22, fim: 6, dias: [] }, veiculo: camera.agenda.veiculo })
  })

  it('is previewed as switches, hours and thresholds', () => {
    expect(iaChanges(camera, applyPerfil(camera, perfil('residencia'), false))).toEqual([
      { kind: 'agenda', ia: 'invasao', de: undefined, para: { inicio: 22, fim: 6, dias: [] } },
      { kind: 'limiar', ia: 'invasao', limiar: 'conf', de: 0.9, para: 0.5 },
      { kind: 'limiar', ia: 'invasao', limiar: 'resfriamento_s', de: 10, para: 30 },
      { kind: 'liga', ia: 'fogo' },
      { kind: 'liga', ia: 'fumaca' },
      { kind: 'desliga', ia: 'veiculo' },
      { kind: 'liga', ia: 'camera_obstruida' },
    ])
  })
})

it('a threshold stored with its default value is no change', () => {
  const before = { eventos_habilitados: [...nomesIas], config_ia: {}, agenda: {} }
  expect(iaChanges(before, { config_ia: { invasao: { conf: 0.45 } } })).toEqual([])
})
