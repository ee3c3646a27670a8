import type { Incidente } from '@vigia/contracts/incidentes'
import { describe, expect, it } from 'vitest'
import { fixtureIncidente } from '../test/incidente-fixture.ts'
import { type AlarmScope, alarmOf } from './alarm.ts'

const OPENED_AT = Date.parse('2026-11-21T02:31:00.000Z')
const atendimento = { resposta: 'falso', nota: null, revisor: 'ana', atendido_em: '2026-11-21T02:32:00.000Z' } as const

function alarm(list: readonly Partial<Incidente>[], scope: Partial<AlarmScope> = {}, live = true) {
  const known = new Map(
    list.map((over, index) => [index, { incidente: fixtureIncidente({ id: index, ...over }), live }] as const),
  )
  return alarmOf(known, { empresa: null, silenced: new Set(), openedAt: OPENED_AT, ...scope })
}

describe('the alarm', () => {
  it('has the highest severity of the unanswered incidentes', () => {
    expect(alarm([])).toBeNull()
    expect(alarm([{ gravidade: 'media' }, { gravidade: 'alta' }, { gravidade: 'baixa' }])).toBe('alta')
  })

  it('ends with the answer, and sounds for nothing pending or refuted', () => {
    expect(alarm([{ atendimento }])).toBeNull()
    expect(alarm([{ veredito: 'pendente' }, { veredito: 'refutado' }])).toBeNull()
  })

  it('stays silent for a silenced camera, except for a critical incidente and a covered camera', () => {
    const silenced = new Set([1])
    expect(alarm([{ gravidade: 'alta' }], { silenced })).toBeNull()
    expect(alarm([{ gravidade: 'critica' }], { silenced })).toBe('critica')
    expect(alarm([{ gravidade: 'media', tipos: ['camera_obstruida'] }], { silenced })).toBe('media')
    expect(alarm([{ silenciado: true }])).toBeNull()
    expect(alarm([{ camera_id: 2 }], { silenced })).toBe('alta')
  })

  it('ignores other Empresas, and what was old when the page opened', () => {
    expect(alarm([{ empresa_id: 2 }], { empresa: 1 })).toBeNull()
    const old = { fim: '2026-11-21T02:15:59.000Z' }
    expect(alarm([old], {}, false)).toBeNull()
    expect(alarm([old], {}, true)).toBe('alta')
    expect(alarm([{ fim: '2026-11-21T02:16:00.000Z' }], {}, false)).toBe('alta')
  })
})
